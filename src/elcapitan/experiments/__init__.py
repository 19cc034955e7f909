"""Many games at once for measuring: arena, studies, simulation."""
