package dev.idempotency.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A server that is a child of this process and dies with it. */
final class RedisProcess implements RedisHost {

	private final Process process;

	RedisProcess(List<String> command, Path home) throws IOException {
		this.process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(home.resolve("redis.log").toFile())
			.start();
		Runtime.getRuntime().addShutdownHook(new Thread(this.process::destroyForcibly));
	}

	@Override
	public void pause() {
		Signal.send("STOP", List.of(this.process.toHandle()));
	}

	@Override
	public void resume() {
		Signal.send("CONT", List.of(this.process.toHandle()));
	}

	@Override
	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

}
