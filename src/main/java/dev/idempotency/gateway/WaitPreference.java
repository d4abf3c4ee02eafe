package dev.idempotency.gateway;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.http.HttpHeaders;

import dev.idempotency.core.IdempotencyPolicy.Waiting;

/**
 * How long a duplicate waits for the first request: as the policy says, or as its client
 * prefers ({@code Prefer: wait=N}, RFC 7240, section 4.3).
 *
 * @param patience how long
 * @param asked whether the client said so
 */
record WaitPreference(Duration patience, boolean asked) {

	static final String PREFER = "Prefer";

	static final String APPLIED = "Preference-Applied";

	/** A preference of its own, not a parameter of another one. */
	private static final Pattern WAIT = Pattern.compile("(?i)(?:^|,)\\s*wait\\s*=\\s*\"?(\\d+)\"?\\s*(?=[,;]|$)");

	/** More digits than any wait anybody could mean. */
	private static final int MANY_DIGITS = 9;

	static WaitPreference of(HttpHeaders headers, Waiting waiting) {
		List<String> lines = headers.getOrEmpty(PREFER);
		Matcher wait = WAIT.matcher(lines.isEmpty() ? "" : String.join(",", lines));
		if (!wait.find()) {
			return new WaitPreference(waiting.byDefault(), false);
		}
		Duration asked = (wait.group(1).length() > MANY_DIGITS) ? waiting.max()
				: Duration.ofSeconds(Long.parseLong(wait.group(1)));
		return new WaitPreference((asked.compareTo(waiting.max()) < 0) ? asked : waiting.max(), true);
	}

	/** The header value that tells the client what was made of it. */
	String applied() {
		return "wait=" + this.patience.toSeconds();
	}

}
