"""Commands that belong together."""

from typing import Any

from typer.core import TyperGroup

from elcapitan.board_file import nearest
from elcapitan.cli.mistakes import BadInput


class Group(TyperGroup):
    """Some commands under one name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or refuse with the nearest there is."""
        if args and args[0] not in self.commands:
            raise BadInput("no-command", found=args[0], nearest=nearest(args[0], self.commands))
        return super().resolve_command(ctx, args)
