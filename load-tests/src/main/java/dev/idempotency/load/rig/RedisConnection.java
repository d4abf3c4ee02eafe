package dev.idempotency.load.rig;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Just enough of RESP2 to ask a Redis how it is. */
final class RedisConnection implements AutoCloseable {

	private static final int LIMIT_MILLIS = 5_000;

	private final Socket socket;

	private final InputStream replies;

	RedisConnection(int port) throws IOException {
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setSoTimeout(LIMIT_MILLIS);
		this.replies = new BufferedInputStream(this.socket.getInputStream());
	}

	/** The elements of an array are joined with line feeds. */
	String command(String... words) throws IOException {
		StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
		for (String word : words) {
			command.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
		}
		this.socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.ISO_8859_1));
		return reply();
	}

	private String reply() throws IOException {
		String line = line();
		String rest = line.substring(1);
		return switch (line.charAt(0)) {
			case '-' -> throw new IOException(rest);
			case '$' -> text(Integer.parseInt(rest));
			case '*' -> elements(Integer.parseInt(rest));
			default -> rest;
		};
	}

	private String text(int length) throws IOException {
		if (length < 0) {
			return "";
		}
		String text = new String(this.replies.readNBytes(length), StandardCharsets.ISO_8859_1);
		line();
		return text;
	}

	private String elements(int count) throws IOException {
		StringBuilder elements = new StringBuilder();
		for (int i = 0; i < count; i++) {
			elements.append(reply()).append('\n');
		}
		return elements.toString();
	}

	private String line() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int octet = this.replies.read(); octet != '\n'; octet = this.replies.read()) {
			if (octet < 0) {
				throw new IOException("Redis has closed the connection");
			}
			line.write(octet);
		}
		return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
