"""Who may do what: users, roles, logins, tokens, links, and the log of changes."""
