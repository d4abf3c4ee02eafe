package dev.idempotency.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A client on one plain connection: sends exactly the octets it is given, and reads
 * answers strictly. An answer that does not come within ten seconds is an error.
 */
public final class RawHttpClient implements AutoCloseable {

	private static final int LIMIT_MILLIS = 10_000;

	private final Socket socket;

	private final Wire wire;

	private RawHttpClient(int port) throws IOException {
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.socket.setSoTimeout(LIMIT_MILLIS);
		this.wire = new Wire(new BufferedInputStream(this.socket.getInputStream()));
	}

	/** Connects to a port of this machine. */
	public static RawHttpClient connect(int port) {
		try {
			return new RawHttpClient(port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** One request on a connection of its own, and its answer. */
	public static RawResponse exchange(int port, RawRequest request) {
		try (RawHttpClient client = connect(port)) {
			return client.send(request).read(request.method());
		}
	}

	/** Sends a request. */
	public RawHttpClient send(RawRequest request) {
		return send(request.bytes());
	}

	/** Sends text as it stands, one octet a character. */
	public RawHttpClient send(String text) {
		return send(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	/** Sends octets as they stand. */
	public RawHttpClient send(byte[] octets) {
		try {
			this.socket.getOutputStream().write(octets);
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads the answer to a request that was not {@code HEAD}. */
	public RawResponse read() {
		return read("POST");
	}

	/** Reads the answer to a request with this method. */
	public RawResponse read(String method) {
		try {
			return answer("HEAD".equals(method));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Whether there is something to read now. */
	public boolean available() {
		try {
			return this.socket.getInputStream().available() > 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads so many octets of an answer, whatever they are. */
	public byte[] readOctets(int count) {
		try {
			return this.socket.getInputStream().readNBytes(count);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads octets up to and including these; fails if the connection ends before. */
	public byte[] readUntil(String end) {
		StringBuilder seen = new StringBuilder();
		while (seen.indexOf(end) < 0) {
			byte[] octet = readOctets(1);
			if (octet.length == 0) {
				throw new AssertionError("the connection ended after " + seen);
			}
			seen.append((char) (octet[0] & 0xff));
		}
		return seen.toString().getBytes(StandardCharsets.ISO_8859_1);
	}

	/** Whether the other side has ended the connection and sent nothing more. */
	public boolean ended() {
		try {
			return this.socket.getInputStream().read() < 0;
		}
		catch (IOException ex) {
			return !(ex instanceof java.net.SocketTimeoutException);
		}
	}

	/** Says that nothing more will be sent, and keeps reading. */
	public void finishSending() {
		try {
			this.socket.shutdownOutput();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Goes away without a word. */
	public void reset() {
		ScriptedConnection.reset(this.socket);
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

	private RawResponse answer(boolean head) throws IOException {
		this.wire.begin();
		List<Integer> interim = new ArrayList<>();
		int status = status();
		List<HeaderLine> headers = this.wire.headers();
		while (status < 200) {
			interim.add(status);
			status = status();
			headers = this.wire.headers();
		}
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		if (!head && status != 204 && status != 304) {
			content(headers, body);
		}
		return new RawResponse(status, headers, body.toByteArray(), interim, List.copyOf(this.wire.problems()));
	}

	private int status() throws IOException {
		String line = this.wire.line();
		if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
			throw new IOException("not a status line: " + line);
		}
		return Integer.parseInt(line.substring(9, 12));
	}

	private void content(List<HeaderLine> headers, ByteArrayOutputStream body) {
		try {
			this.wire.content(headers, true, body);
		}
		catch (IOException ex) {
			this.wire.problem("the content broke off: " + ex.getMessage());
		}
	}

}
