package dev.idempotency.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.idempotency.testing.RawRequest;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.RunningGateway;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A gateway with routes that make jobs, and a client of it. */
final class JobRig implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	final ScriptedBackend backend = ScriptedBackend.start();

	private final List<String> routes = new ArrayList<>();

	private final List<String> policies = new ArrayList<>();

	private RunningGateway gateway;

	/** A route {@code /ID/**} with a policy of its own. */
	JobRig route(String id, String policy) {
		return route(id, policy, "");
	}

	JobRig route(String id, String policy, String moreFilters) {
		this.policies
			.add("  " + id + ": { caller: [ 'header:X-Caller' ], async: on-request, lease: 2s, " + policy + " }");
		this.routes.add("""
				  - id: %s
				    uri: %s
				    predicates: [ "Path=/%s/{what}" ]
				    filters: [ "Idempotency=%s" %s ]
				""".formatted(id, this.backend.uri(), id, id, moreFilters));
		return this;
	}

	JobRig start(String... settings) {
		this.gateway = RunningGateway.start("idempotency.policies:\n" + String.join("\n", this.policies)
				+ "\nspring.cloud.gateway.server.webflux.routes:\n" + String.join("", this.routes)
				+ String.join("\n", settings) + "\n");
		return this;
	}

	RunningGateway gateway() {
		return this.gateway;
	}

	static RawRequest request(String path, String key) {
		return RawRequest.post(path, "{\"amount\":1}").key(key).header("X-Caller", "alice");
	}

	static RawRequest job(String path, String key) {
		return request(path, key).header("Prefer", "respond-async");
	}

	/** Submits and expects 202; the location. */
	String submit(String path, String key) {
		RawResponse answer = this.gateway.send(job(path, key));
		assertThat(answer.status()).as(answer.toString()).isEqualTo(202);
		String location = answer.header("Location");
		assertThat(location).startsWith("/idempotency/jobs/");
		return location;
	}

	RawResponse look(String location) {
		return ask("GET", location, "alice");
	}

	RawResponse ask(String method, String location, String caller) {
		return this.gateway.send(RawRequest.of(method, location).header("X-Caller", caller));
	}

	JsonNode view(String location) {
		RawResponse answer = look(location);
		assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
		return JSON.readTree(answer.body());
	}

	/** Waits until it is so. */
	JsonNode awaitStatus(String location, String status) {
		await().atMost(Duration.ofSeconds(20)).until(() -> view(location).path("status").stringValue().equals(status));
		return view(location);
	}

	static JsonNode json(RawResponse answer) {
		return JSON.readTree(answer.body());
	}

	@Override
	public void close() {
		this.gateway.close();
		this.backend.close();
	}

}
