package dev.idempotency.jobs;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.idempotency.core.DeadLetter;
import dev.idempotency.core.DeadLetters;
import dev.idempotency.core.Jobs;
import dev.idempotency.testing.Arrival;
import dev.idempotency.testing.RawResponse;
import dev.idempotency.testing.Reply;
import dev.idempotency.testing.ScriptedBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Ends of jobs, posted to a receiver on a real socket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallbacksIT {

	private final ScriptedBackend receiver = ScriptedBackend.start();

	private final JobRig rig = new JobRig()
		.route("told", "callback-hosts: [ 127.0.0.1, 'hooks.example' ], callback-secret: s3cret")
		.route("untold", "");

	@BeforeAll
	void start() {
		this.rig.start("idempotency.jobs.callback: { max-attempts: 3, backoff: 50ms, timeout: 2s }");
	}

	@AfterAll
	void stop() {
		this.rig.close();
		this.receiver.close();
	}

	@Test
	void theEndIsPostedWithItsResultAndASignature() throws Exception {
		this.rig.backend.on("/told/it", Reply.json(201, "{\"id\":7}"));
		String location = submit("/told/it", this.receiver.uri() + "/hook?x=1");
		await().until(() -> this.receiver.executions("/hook") == 1);
		Arrival post = this.receiver.arrivals("/hook").get(0);
		assertThat(post.target()).isEqualTo("/hook?x=1");
		JsonNode body = JsonMapper.shared().readTree(post.body());
		assertThat(location).endsWith(body.path("job_id").stringValue());
		assertThat(body.path("status").stringValue()).isEqualTo("SUCCEEDED");
		assertThat(body.path("result").path("status").intValue()).isEqualTo(201);
		assertThat(body.path("result").path("body").stringValue()).isEqualTo("{\"id\":7}");
		String signature = post.header(CallbackPost.SIGNATURE);
		String seconds = signature.replaceFirst("^t=(\\d+),v1=.*$", "$1");
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec("s3cret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
		mac.update((seconds + ".").getBytes(StandardCharsets.US_ASCII));
		assertThat(signature).isEqualTo("t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(post.body())));
		assertThat(this.rig.backend.arrivals("/told/it").get(0).headers("Idempotency-Callback")).isEmpty();
	}

	@Test
	void aPostThatFailsIsRepeated() {
		this.receiver.on("/flaky", Reply.of(500), Reply.reset(), Reply.of(204));
		submit("/told/flaky", this.receiver.uri() + "/flaky");
		await().until(() -> this.receiver.executions("/flaky") == 3);
	}

	@Test
	void aRedirectIsNotFollowedAndAPostThatAlwaysFailsIsADeadLetterOfItsOwn() {
		this.receiver.on("/moved", Reply.of(307).header("Location", this.receiver.uri() + "/elsewhere"));
		String location = submit("/told/moved", this.receiver.uri() + "/moved");
		String id = location.substring("/idempotency/jobs/".length()) + ".callback";
		DeadLetters letters = this.rig.gateway().bean(DeadLetters.class);
		await().until(() -> letters.find(id).block() != null);
		assertThat(this.receiver.executions("/moved")).isEqualTo(3);
		assertThat(this.receiver.arrivals("/elsewhere")).isEmpty();
		this.rig.awaitStatus(location, "SUCCEEDED");
		DeadLetter letter = letters.find(id).block();
		assertThat(letter.attempts()).isEqualTo(3);
		assertThat(letter.lastOutcome()).isEqualTo("it answered 307");
		this.receiver.on("/moved", Reply.of(200));
		assertThat(this.rig.gateway().bean(Jobs.class).redrive(letter).block().done()).isTrue();
		await().until(() -> this.receiver.executions("/moved") == 4);
		assertThat(letters.find(id).block()).isNull();
	}

	@Test
	void whatIsNotListedIsRefusedBeforeAnythingIsDone() {
		for (String target : new String[] { "http://localhost:1/", "http://10.0.0.1/", "http://169.254.169.254/latest",
				"https://other.example/", "http://hooks.example/", "https://u:p@hooks.example/", "ftp://127.0.0.1/",
				"/relative", "http://[::1]/", "http://[::ffff:127.0.0.2]/" }) {
			RawResponse answer = this.rig.gateway()
				.send(JobRig.job("/told/refused", target).header("Idempotency-Callback", target));
			assertThat(answer.status()).as(target).isEqualTo(400);
			assertThat(answer.text()).as(target).contains("\"code\":\"callback-refused\"");
		}
		assertThat(this.rig.gateway()
			.send(JobRig.job("/untold/x", "u").header("Idempotency-Callback", this.receiver.uri()))
			.status()).isEqualTo(400);
		assertThat(this.rig.backend.arrivals("/told/refused")).isEmpty();
	}

	@Test
	void whoeverNamesAListedHostWithoutTlsIsToldWhatIsMissing() {
		RawResponse answer = this.rig.gateway()
			.send(JobRig.job("/told/plain", "plain").header("Idempotency-Callback", "http://hooks.example/done"));
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text()).contains("\"code\":\"callback-refused\"", "https");
		assertThat(this.rig.gateway()
			.send(JobRig.job("/told/plain", "plain").header("Idempotency-Callback", "http://other.example/done"))
			.text()).doesNotContain("https");
	}

	private String submit(String path, String callback) {
		RawResponse answer = this.rig.gateway().send(JobRig.job(path, path).header("Idempotency-Callback", callback));
		assertThat(answer.status()).as(answer.toString()).isEqualTo(202);
		return answer.header("Location");
	}

}
