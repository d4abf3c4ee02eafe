package dev.idempotency.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A backend on plain sockets that does what its script says, good or bad, and remembers
 * every octet it was sent.
 *
 * <pre class="code">
 * try (ScriptedBackend backend = ScriptedBackend.start()) {
 *     backend.on("/pay", Reply.of(503), Reply.json(201, "{}"));
 *     ...
 *     assertThat(backend.executions("/pay")).isEqualTo(2);
 * }
 * </pre>
 *
 * An <em>arrival</em> is a request whose head came; an <em>execution</em> is one that was
 * read to its end, which is when a real backend may have acted.
 */
public final class ScriptedBackend implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private static final String OTHERS = "*";

	private final Map<String, Function<Arrival, Reply>> scripts = new ConcurrentHashMap<>();

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private final Arrivals arrivals = new Arrivals();

	private final Pause pause = new Pause();

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "scripted-backend");
		thread.setDaemon(true);
		return thread;
	});

	private final Port port;

	private volatile boolean resetting;

	private ScriptedBackend() throws IOException {
		always(Reply.json(200, "{}"));
		this.port = new Port(this::serve);
	}

	/**
	 * Starts on a free port; answers 200 and an empty JSON object until told otherwise.
	 */
	public static ScriptedBackend start() {
		try {
			return new ScriptedBackend();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The port it listens on, or keeps closed. */
	public int port() {
		return this.port.number();
	}

	/** For instance {@code http://127.0.0.1:40123}. */
	public String uri() {
		return "http://127.0.0.1:" + port();
	}

	/** Replies to a path in turn, the last one for ever; forgets the script before. */
	public ScriptedBackend on(String path, Reply... replies) {
		return on(path, inTurn(replies));
	}

	/** Decides by the head of the request. */
	public ScriptedBackend on(String path, Function<Arrival, Reply> script) {
		this.scripts.put(path, script);
		return this;
	}

	/** Replies to all paths that have no script of their own, in turn. */
	public ScriptedBackend always(Reply... replies) {
		return on(OTHERS, replies);
	}

	/** Drops script and arrivals of a path that is done with. */
	public void forget(String path) {
		this.scripts.remove(path);
		this.arrivals.forget((arrival) -> arrival.path().equals(path));
	}

	/** Every request whose head came, in order. */
	public List<Arrival> arrivals() {
		return this.arrivals.matching((arrival) -> true);
	}

	/** Those of one path. */
	public List<Arrival> arrivals(String path) {
		return this.arrivals.matching((arrival) -> arrival.path().equals(path));
	}

	/** How many requests were read to their end. */
	public int executions() {
		return this.arrivals.matching(Arrival::whole).size();
	}

	/** Those of one path. */
	public int executions(String path) {
		return this.arrivals.matching(executed(path)).size();
	}

	/** Those of one path and one key; quotes around the key do not matter. */
	public int executions(String path, String key) {
		return this.arrivals.matching(executed(path).and((arrival) -> sameKey(arrival, key))).size();
	}

	/** Waits until so many requests were read to their end; fails after ten seconds. */
	public void awaitExecutions(int count) {
		this.arrivals.await(count, Arrival::whole, LIMIT);
	}

	/** The same for one path. */
	public void awaitExecutions(String path, int count) {
		this.arrivals.await(count, executed(path), LIMIT);
	}

	/** Waits until the heads of so many requests came; fails after ten seconds. */
	public void awaitArrivals(int count) {
		this.arrivals.await(count, (arrival) -> true, LIMIT);
	}

	/** How many connections were accepted so far. */
	public int connections() {
		return this.accepted.get();
	}

	/** From now on each new connection is reset before a byte is read. */
	public void resetConnections() {
		this.resetting = true;
	}

	/** Resets every open connection, as a backend that restarts would. */
	public void dropConnections() {
		this.open.forEach(ScriptedConnection::reset);
	}

	/**
	 * From now on connections are refused, and open ones are reset. Nobody else gets the
	 * port meanwhile.
	 */
	public void refuse() {
		unchecked(this.port::refuse);
		dropConnections();
	}

	/** Serves on the same port again, after a refusal or resets. */
	public void accept() {
		this.resetting = false;
		unchecked(this.port::listen);
	}

	@Override
	public void close() {
		unchecked(this.port::close);
		this.pause.end();
		dropConnections();
		this.threads.shutdownNow();
	}

	private void serve(Socket socket) {
		this.accepted.incrementAndGet();
		if (this.resetting) {
			ScriptedConnection.reset(socket);
			return;
		}
		this.open.add(socket);
		Runnable connection = new ScriptedConnection(socket, connections(), this.arrivals, this::reply, this.pause);
		this.threads.execute(() -> {
			connection.run();
			this.open.remove(socket);
		});
	}

	private Reply reply(Arrival request) {
		Function<Arrival, Reply> script = this.scripts.get(request.path());
		return ((script != null) ? script : this.scripts.get(OTHERS)).apply(request);
	}

	private static Function<Arrival, Reply> inTurn(Reply... replies) {
		AtomicInteger turn = new AtomicInteger();
		return (request) -> replies[Math.min(turn.getAndIncrement(), replies.length - 1)];
	}

	private static Predicate<Arrival> executed(String path) {
		return (arrival) -> arrival.whole() && arrival.path().equals(path);
	}

	private static boolean sameKey(Arrival arrival, String key) {
		String sent = arrival.key();
		return sent != null && sent.replace("\"", "").equals(key.replace("\"", ""));
	}

	private static void unchecked(Step step) {
		try {
			step.run();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private interface Step {

		void run() throws IOException;

	}

}
