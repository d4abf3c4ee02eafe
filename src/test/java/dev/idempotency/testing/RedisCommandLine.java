package dev.idempotency.testing;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Speaks to Redis without the client under test. Text has a character an octet, so that
 * every value survives.
 */
public final class RedisCommandLine implements Closeable {

	private static final int TIMEOUT = 10_000;

	private final Socket socket = new Socket();

	private final InputStream in;

	/** A connection to a server on this machine. */
	public RedisCommandLine(int port) throws IOException {
		this.socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT);
		this.socket.setSoTimeout(TIMEOUT);
		this.in = new BufferedInputStream(this.socket.getInputStream());
	}

	/**
	 * A reply as text: nil as {@code (nil)}, an error as its message, a list in lines.
	 */
	public String command(String... words) throws IOException {
		StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
		for (String word : words) {
			request.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
		}
		this.socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
		return reply();
	}

	/** Waits for as long as it takes. */
	String line() throws IOException {
		this.socket.setSoTimeout(0);
		return readLine();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	private String reply() throws IOException {
		String line = readLine();
		String rest = line.substring(1);
		return switch (line.charAt(0)) {
			case '$' -> bulk(Integer.parseInt(rest));
			case '*' -> list(Integer.parseInt(rest));
			default -> rest;
		};
	}

	private String bulk(int length) throws IOException {
		if (length < 0) {
			return "(nil)";
		}
		byte[] octets = this.in.readNBytes(length);
		this.in.skipNBytes(2);
		return new String(octets, StandardCharsets.ISO_8859_1);
	}

	private String list(int count) throws IOException {
		StringBuilder lines = new StringBuilder();
		for (int i = 0; i < count; i++) {
			lines.append((i > 0) ? "\n" : "").append(reply());
		}
		return lines.toString();
	}

	private String readLine() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int octet = this.in.read(); octet != '\n'; octet = this.in.read()) {
			if (octet < 0) {
				throw new EOFException("Redis closed the connection");
			}
			line.append((char) octet);
		}
		return line.substring(0, line.length() - 1);
	}

}
