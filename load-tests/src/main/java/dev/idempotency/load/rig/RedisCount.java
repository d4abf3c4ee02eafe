package dev.idempotency.load.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Counts what clients send to a Redis, each command one round trip. What scripts call
 * inside the server is not counted, and neither are heartbeats.
 */
public final class RedisCount implements AutoCloseable {

	private static final String MARK = "end-of-count";

	private final RedisProcess redis;

	private final Socket socket;

	private final BufferedReader lines;

	/** Counts from now on. */
	public RedisCount(RedisProcess redis) {
		this.redis = redis;
		try {
			this.socket = new Socket(InetAddress.getLoopbackAddress(), redis.port());
			this.socket.setSoTimeout((int) Duration.ofSeconds(5).toMillis());
			this.lines = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.ISO_8859_1));
			this.socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
			this.lines.readLine();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** How many there were. */
	public int commands() {
		this.redis.command("ECHO", MARK);
		int count = 0;
		try {
			for (String line = this.lines.readLine(); !line.contains(MARK); line = this.lines.readLine()) {
				count += counts(line) ? 1 : 0;
			}
			return count;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean counts(String line) {
		return !line.contains(" lua] ") && !line.contains("\"PING\"") && !line.contains("\"INFO\"");
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
