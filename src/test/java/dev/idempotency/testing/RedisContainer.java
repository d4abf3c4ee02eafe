package dev.idempotency.testing;

import java.util.ArrayList;
import java.util.List;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** A server in a container that shares the network of the machine. */
final class RedisContainer implements RedisHost {

	private static final DockerImageName IMAGE = DockerImageName.parse("redis:7.4-alpine");

	private final GenericContainer<?> container;

	RedisContainer(List<String> arguments) {
		List<String> command = new ArrayList<>(List.of("redis-server"));
		command.addAll(arguments);
		this.container = new GenericContainer<>(IMAGE).withNetworkMode("host")
			.withCommand(command.toArray(String[]::new));
		this.container.start();
	}

	@Override
	public void pause() {
		this.container.getDockerClient().pauseContainerCmd(this.container.getContainerId()).exec();
	}

	@Override
	public void resume() {
		this.container.getDockerClient().unpauseContainerCmd(this.container.getContainerId()).exec();
	}

	@Override
	public void kill() {
		this.container.stop();
	}

}
