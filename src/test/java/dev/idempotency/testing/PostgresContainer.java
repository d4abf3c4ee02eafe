package dev.idempotency.testing;

import java.util.ArrayList;
import java.util.List;

import com.github.dockerjava.api.DockerClient;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** A server in a container that shares the network of the machine. */
final class PostgresContainer implements PostgresHost {

	private static final DockerImageName IMAGE = DockerImageName.parse("postgres:17-alpine");

	private final GenericContainer<?> container;

	PostgresContainer(int port, List<String> settings) {
		List<String> command = new ArrayList<>(List.of("postgres", "-p", Integer.toString(port)));
		settings.forEach((setting) -> command.addAll(List.of("-c", setting)));
		this.container = new GenericContainer<>(IMAGE).withNetworkMode("host")
			.withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
			.withCommand(command.toArray(String[]::new));
		this.container.start();
	}

	@Override
	public void pause() {
		client().pauseContainerCmd(id()).exec();
	}

	@Override
	public void resume() {
		client().unpauseContainerCmd(id()).exec();
	}

	@Override
	public void kill() {
		client().killContainerCmd(id()).exec();
	}

	@Override
	public void start() {
		client().startContainerCmd(id()).exec();
	}

	@Override
	public void clean() {
		this.container.stop();
	}

	private DockerClient client() {
		return this.container.getDockerClient();
	}

	private String id() {
		return this.container.getContainerId();
	}

}
