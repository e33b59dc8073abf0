"""What bots are called at a table."""

# As many as there are seats.
BOT_NAMES = ("Bella", "Bruno", "Carla", "Dora", "Ferdi", "Gustav", "Heidi", "Max", "Rosa", "Toni")
