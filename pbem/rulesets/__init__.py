"""The games pbem knows."""
