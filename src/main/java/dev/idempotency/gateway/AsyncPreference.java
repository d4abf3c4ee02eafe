package dev.idempotency.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.springframework.http.HttpHeaders;

import dev.idempotency.core.IdempotencyPolicy.Async;

/**
 * Whether a request becomes a job: because its client prefers it
 * ({@code Prefer: respond-async}, RFC 7240, section 4.1) or because the route makes jobs
 * of all.
 */
final class AsyncPreference {

	static final String RESPOND_ASYNC = "respond-async";

	private AsyncPreference() {
	}

	static boolean isAsked(HttpHeaders headers) {
		return preferences(headers).stream().anyMatch((preference) -> token(preference).equals(RESPOND_ASYNC));
	}

	static boolean makesJob(Async async, HttpHeaders headers) {
		return async == Async.ALWAYS || (async == Async.ON_REQUEST && isAsked(headers));
	}

	/**
	 * What is left to prefer for the backend, which answers nobody who could not wait.
	 */
	static List<String> forBackend(HttpHeaders headers) {
		return preferences(headers).stream().filter((preference) -> {
			String token = token(preference);
			return !token.equals(RESPOND_ASYNC) && !token.equals("wait");
		}).toList();
	}

	private static List<String> preferences(HttpHeaders headers) {
		List<String> found = new ArrayList<>();
		for (String line : headers.getOrEmpty(WaitPreference.PREFER)) {
			int begin = 0;
			boolean quoted = false;
			for (int i = 0; i < line.length(); i++) {
				char c = line.charAt(i);
				quoted ^= c == '"';
				if (c == ',' && !quoted) {
					add(found, line.substring(begin, i));
					begin = i + 1;
				}
			}
			add(found, line.substring(begin));
		}
		return found;
	}

	private static void add(List<String> found, String preference) {
		if (!preference.isBlank()) {
			found.add(preference.strip());
		}
	}

	/** The name alone, without its value and parameters. */
	private static String token(String preference) {
		return preference.split("[=;\\s]", 2)[0].toLowerCase(Locale.ROOT);
	}

}
