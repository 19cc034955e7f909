"""Run the command `elcapitan` as `python -m elcapitan`."""

from elcapitan.cli.main import main

if __name__ == "__main__":
    main()
