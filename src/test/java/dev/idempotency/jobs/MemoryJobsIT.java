package dev.idempotency.jobs;

class MemoryJobsIT extends JobsContract {

	@Override
	String[] store() {
		return new String[0];
	}

}
