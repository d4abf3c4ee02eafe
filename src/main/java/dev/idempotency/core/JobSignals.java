package dev.idempotency.core;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the worker of a queue in this instance that there is something for it, so that it
 * need not wait until it looks by itself.
 *
 * @since 0.1.0
 */
public final class JobSignals {

	private final Map<String, Runnable> workers = new ConcurrentHashMap<>();

	/**
	 * Listens, in the place of whoever listened before.
	 * @param queue the queue's name
	 * @param worker called by any thread; must not block and must not throw
	 */
	public void listen(String queue, Runnable worker) {
		this.workers.put(queue, worker);
	}

	/**
	 * Listens no more.
	 * @param queue the queue's name
	 */
	public void leave(String queue) {
		this.workers.remove(queue);
	}

	/**
	 * Something was put into a queue.
	 * @param queue the queue's name
	 */
	public void wake(String queue) {
		Runnable worker = this.workers.get(queue);
		if (worker != null) {
			worker.run();
		}
	}

}
