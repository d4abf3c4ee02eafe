package dev.idempotency.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Keeps a listener that throws away from the work: no claim is lost because a meter could
 * not be counted.
 */
final class QuietEvents implements EngineEvents {

	private static final Logger log = System.getLogger(QuietEvents.class.getName());

	private final EngineEvents listener;

	QuietEvents(EngineEvents listener) {
		this.listener = listener;
	}

	@Override
	public void counted(RequestResult result) {
		quietly(() -> this.listener.counted(result));
	}

	@Override
	public void accepted() {
		quietly(this.listener::accepted);
	}

	@Override
	public void ended(RecordId id, Outcome outcome) {
		quietly(() -> this.listener.ended(id, outcome));
	}

	@Override
	public void leaseLapsed(RecordId id) {
		quietly(() -> this.listener.leaseLapsed(id));
	}

	@Override
	public void settleFailed(RecordId id) {
		quietly(() -> this.listener.settleFailed(id));
	}

	@Override
	public void fenced(RecordId id) {
		quietly(() -> this.listener.fenced(id));
	}

	@Override
	public void unreadable(RecordId id, String reason) {
		quietly(() -> this.listener.unreadable(id, reason));
	}

	@Override
	public void defect(RecordId id, Throwable defect) {
		quietly(() -> this.listener.defect(id, defect));
	}

	@Override
	public void lateAnswer(RecordId id, Outcome outcome) {
		quietly(() -> this.listener.lateAnswer(id, outcome));
	}

	private static void quietly(Runnable word) {
		try {
			word.run();
		}
		catch (RuntimeException ex) {
			log.log(Level.WARNING, "A listener failed", ex);
		}
	}

}
