package dev.idempotency.core;

import java.util.ArrayList;
import java.util.List;

/** What an engine told, in its order. */
final class RecordedEvents implements EngineEvents {

	final List<Outcome> ended = new ArrayList<>();

	final List<Outcome> late = new ArrayList<>();

	final List<Throwable> defects = new ArrayList<>();

	final List<String> unreadable = new ArrayList<>();

	int lapsed;

	int settleFailures;

	int fenced;

	@Override
	public void ended(RecordId id, Outcome outcome) {
		this.ended.add(outcome);
	}

	@Override
	public void lateAnswer(RecordId id, Outcome outcome) {
		this.late.add(outcome);
	}

	@Override
	public void defect(RecordId id, Throwable defect) {
		this.defects.add(defect);
	}

	@Override
	public void unreadable(RecordId id, String reason) {
		this.unreadable.add(reason);
	}

	@Override
	public void leaseLapsed(RecordId id) {
		this.lapsed++;
	}

	@Override
	public void settleFailed(RecordId id) {
		this.settleFailures++;
	}

	@Override
	public void fenced(RecordId id) {
		this.fenced++;
	}

}
