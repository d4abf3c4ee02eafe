package dev.idempotency.autoconfigure;

import dev.idempotency.core.Operations;

import org.springframework.context.SmartLifecycle;

/**
 * Ends what runs before the server ends: from the first moment of the shutdown on new
 * keyed requests are refused, while the port is still open to say so, and running
 * operations have the time of one shutdown phase
 * ({@code spring.lifecycle.timeout-per-shutdown-phase}).
 */
final class OperationsLifecycle implements SmartLifecycle {

	/**
	 * Before the web server's graceful shutdown, which comes at the default less 1024.
	 */
	private static final int PHASE = DEFAULT_PHASE - 512;

	private final Operations operations;

	private volatile boolean running;

	OperationsLifecycle(Operations operations) {
		this.operations = operations;
	}

	@Override
	public void start() {
		this.operations.start();
		this.running = true;
	}

	@Override
	public void stop() {
		this.operations.stop();
		this.running = false;
	}

	@Override
	public void stop(Runnable callback) {
		stop();
		this.operations.drained().doFinally((signal) -> callback.run()).subscribe();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
