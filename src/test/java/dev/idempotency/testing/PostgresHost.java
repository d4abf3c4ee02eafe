package dev.idempotency.testing;

/** What one server and its data can be made to suffer. */
interface PostgresHost {

	void pause();

	void resume();

	void kill();

	/** Again, after a kill, with the same data. */
	void start();

	/** Removes the data. */
	void clean();

}
