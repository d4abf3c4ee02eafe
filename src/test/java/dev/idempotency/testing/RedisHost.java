package dev.idempotency.testing;

/** What one running server can be made to suffer. */
interface RedisHost {

	void pause();

	void resume();

	void kill();

}
