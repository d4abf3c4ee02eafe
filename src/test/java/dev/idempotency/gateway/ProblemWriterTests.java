package dev.idempotency.gateway;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

import dev.idempotency.core.Answer.Effect;
import dev.idempotency.core.Answer.Refused;
import dev.idempotency.core.Problem;
import dev.idempotency.core.StoredResponse;
import dev.idempotency.core.StoredResponse.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemWriterTests {

	private final ProblemWriter writer = new ProblemWriter(ProblemWriter.DEFAULT_BASE, WellKnownPage.PATH);

	@ParameterizedTest
	@EnumSource
	void everyProblemHasItsMembers(Problem problem) {
		StoredResponse answer = this.writer.write(new Refused(problem, Effect.NOT_APPLIED, true, null), "/charges");
		assertThat(answer.status()).isEqualTo(problem.status());
		JsonNode body = body(answer);
		assertThat(body.propertyNames()).containsExactly("type", "title", "status", "detail", "instance", "code",
				"outcome", "retryable");
		assertThat(body.get("type").asString()).isEqualTo("urn:idempotency-gateway:problem:" + problem.code());
		assertThat(body.get("status").asInt()).isEqualTo(problem.status());
		assertThat(body.get("instance").asString()).isEqualTo("/charges");
		assertThat(body.get("outcome").asString()).isEqualTo("not-applied");
		assertThat(body.get("retryable").isBoolean()).isTrue();
	}

	@Test
	void aProblemIsNeverCachedAndPointsToItsDocumentation() {
		StoredResponse answer = this.writer.write(new Refused(Problem.KEY_MISSING, Effect.NOT_APPLIED, false, null),
				"/");
		assertThat(answer.headers()).containsExactly(new Header("Content-Type", "application/problem+json"),
				new Header("Cache-Control", "no-store"),
				new Header("Link", "</.well-known/idempotency>; rel=\"describedby\""));
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 1", "PT0.001S, 1", "PT1S, 1", "PT1.001S, 2", "PT14.999999999S, 15", "PT15S, 15", "-PT3S, 1" })
	void retryAfterIsAWholeNumberOfSecondsFromOneOn(Duration wait, String seconds) {
		StoredResponse answer = this.writer.write(new Refused(Problem.IN_PROGRESS, Effect.UNKNOWN, true, wait), "/");
		assertThat(answer.headers()).contains(new Header("Retry-After", seconds));
	}

	@Test
	void aTextOfItsOwnReplacesTheGeneralOne() {
		Refused refused = new Refused(Problem.KEY_INVALID, Effect.NOT_APPLIED, false, null);
		StoredResponse answer = this.writer.write(refused, "/", "a \"quoted\"\nline \u00e9 </script>");
		assertThat(body(answer).get("detail").asString()).isEqualTo("a \"quoted\"\nline \u00e9 </script>");
		assertThat(text(answer)).doesNotContain("\n");
	}

	@ParameterizedTest
	@CsvSource({ "/a/b;v=1, /a/b;v=1", "/a%20b, /a%20b", "/a\"b\\c, /a%22b%5Cc", "/\u00e9, /%C3%A9",
			"//evil.example/x, /.//evil.example/x", "/a<b>, /a%3Cb%3E", "/a?b#c, /a%3Fb%23c" })
	void theInstanceIsAlwaysASafePath(String path, String instance) {
		StoredResponse answer = this.writer.write(new Refused(Problem.KEY_REUSED, Effect.UNKNOWN, false, null), path);
		assertThat(body(answer).get("instance").asString()).isEqualTo(instance);
	}

	@Test
	void noInstanceEndsTheLine() {
		StoredResponse answer = this.writer.write(new Refused(Problem.KEY_REUSED, Effect.UNKNOWN, false, null),
				"/a\r\nb\u0000");
		assertThat(body(answer).get("instance").asString()).isEqualTo("/a%0D%0Ab%00");
	}

	@ParameterizedTest
	@CsvSource({ "https://e.example/p/, https://e.example/p/key-reused",
			"https://e.example/p, https://e.example/p/key-reused",
			"https://e.example/p#, https://e.example/p#key-reused", "urn:x:, urn:x:key-reused" })
	void theBaseOfTypesCanBeReplaced(String base, String type) {
		assertThat(new ProblemWriter(base, "/doc").type(Problem.KEY_REUSED)).isEqualTo(type);
	}

	private static String text(StoredResponse answer) {
		return new String(Objects.requireNonNull(answer.body()), StandardCharsets.UTF_8);
	}

	private static JsonNode body(StoredResponse answer) {
		return JsonMapper.shared().readTree(text(answer));
	}

}
