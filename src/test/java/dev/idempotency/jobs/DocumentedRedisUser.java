package dev.idempotency.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import dev.idempotency.testing.RedisServer;

/** A user of Redis who may do what the documents ask for, and nothing else. */
final class DocumentedRedisUser {

	static final String NAME = "gateway";

	static final String PASSWORD = "sesame";

	private static final Pattern COMMAND = Pattern.compile("\\+[a-z|]+");

	private DocumentedRedisUser() {
	}

	static void createOn(RedisServer server) {
		List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", NAME, "on", ">" + PASSWORD, "resetkeys",
				"~idempotency:*", "resetchannels", "-@all"));
		words.addAll(commands("src/docs/operating.md", "ACL SETUSER"));
		words.addAll(commands("src/docs/jobs.md", "+xadd"));
		if (!server.command(words.toArray(String[]::new)).equals("OK")) {
			throw new IllegalStateException("no such user");
		}
	}

	/** What is named in the block with this beginning. */
	private static List<String> commands(String document, String beginning) {
		try {
			String block = Files.readString(Path.of(document)).split(Pattern.quote(beginning), 2)[1].split("```", 2)[0];
			return COMMAND.matcher(beginning + block).results().map(MatchResult::group).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
