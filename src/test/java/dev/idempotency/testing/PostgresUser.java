package dev.idempotency.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/** PostgreSQL refuses to run as root; where we are root it runs as somebody else. */
final class PostgresUser {

	private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

	private static final List<String> CANDIDATES = List.of("postgres", "nobody");

	private PostgresUser() {
	}

	static List<String> commandFor(List<String> words) throws IOException {
		if (!ROOT) {
			return words;
		}
		List<String> command = new ArrayList<>(List.of("setpriv", "--reuid", user().getName(), "--clear-groups"));
		command.addAll(words);
		return command;
	}

	static void own(Path folder) throws IOException {
		if (ROOT) {
			Files.setOwner(folder, user());
		}
	}

	private static UserPrincipal user() throws IOException {
		for (String name : CANDIDATES) {
			try {
				return Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
			}
			catch (java.nio.file.attribute.UserPrincipalNotFoundException ex) {
				// The next one, then.
			}
		}
		throw new IOException("there is no user of " + CANDIDATES);
	}

}
