"""What chat calls the service itself, and adds to the name of whoever only looks on."""

SERVER = "server"  # speaks where the service itself has something to say
LOOKS_ON = "(looks on)"
