"""What is seen on the table: the view model of the templates, made by pure functions from a table and its viewer."""

from elcapitan.web.scene.payday import payday
from elcapitan.web.scene.scene import Scene, scene
from elcapitan.web.scene.ways import ways_scene

__all__ = ["Scene", "payday", "scene", "ways_scene"]
