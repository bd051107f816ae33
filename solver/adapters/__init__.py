"""The games as the libraries of others want them; each module needs the optional extra that it is named after."""
