"""Castle sections: warriors on round bases, and castles made of pieces that are warriors and ground at once,
on a table that is measured in inches.
"""
