package dev.idempotency.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/** What Java cannot send to a process: signals, through the shell. */
final class Signal {

	private Signal() {
	}

	/**
	 * Sends one to each.
	 * @param name without {@code SIG}
	 * @param processes who gets it
	 */
	static void send(String name, List<ProcessHandle> processes) {
		String numbers = processes.stream().map((one) -> Long.toString(one.pid())).collect(Collectors.joining(" "));
		try {
			new ProcessBuilder("sh", "-c", "kill -" + name + " " + numbers).inheritIO().start().onExit().join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
