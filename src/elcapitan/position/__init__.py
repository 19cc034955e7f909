"""What there is to know about a position: cities, merchants, paydays, routes, previews and money."""
