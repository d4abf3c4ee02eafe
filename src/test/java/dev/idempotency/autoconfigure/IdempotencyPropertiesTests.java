package dev.idempotency.autoconfigure;

import java.time.Duration;

import dev.idempotency.autoconfigure.IdempotencyProperties.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class IdempotencyPropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(Configured.class);

	@Test
	void everySettingHasADefault() {
		this.runner.run((context) -> {
			IdempotencyProperties properties = context.getBean(IdempotencyProperties.class);
			assertThat(properties.enabled()).isTrue();
			assertThat(properties.store()).isEqualTo(Store.MEMORY);
			assertThat(properties.policies()).isEmpty();
			assertThat(properties.problemBaseUri()).isEqualTo("urn:idempotency-gateway:problem:");
			assertThat(properties.documentationUri()).isNull();
			assertThat(properties.maxBufferedBytes()).isEqualTo(Runtime.getRuntime().maxMemory() / 4);
			assertThat(properties.settleBacklog()).isEqualTo(DataSize.ofMegabytes(64));
			assertThat(properties.redis().timeout()).isEqualTo(Duration.ofMillis(250));
			assertThat(properties.redis().replicas()).isZero();
			assertThat(properties.redis().keyPrefix()).isEqualTo("idempotency:");
			assertThat(properties.postgres().timeout()).isEqualTo(Duration.ofSeconds(1));
			assertThat(properties.postgres().table()).isEqualTo("idempotency_record");
			assertThat(properties.postgres().initializeSchema()).isTrue();
			assertThat(properties.memory().maxSize()).isEqualTo(DataSize.ofMegabytes(128));
			assertThat(properties.replay().dropHeaders()).isEmpty();
			assertThat(properties.replay().keepHeaders()).isEmpty();
		});
	}

	@Test
	void settingsAreTaken() {
		this.runner
			.withPropertyValues("idempotency.store=redis", "idempotency.max-buffered=10MB",
					"idempotency.replay.drop-headers=X-Trace, X-Debug-*", "idempotency.policies.a.caller[0]=principal")
			.run((context) -> {
				IdempotencyProperties properties = context.getBean(IdempotencyProperties.class);
				assertThat(properties.store()).isEqualTo(Store.REDIS);
				assertThat(properties.maxBufferedBytes()).isEqualTo(10 << 20);
				assertThat(properties.replay().dropHeaders()).containsExactly("X-Trace", "X-Debug-*");
				assertThat(properties.policies()).containsOnlyKeys("a");
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					store=memcached             | 'idempotency.store' cannot be 'memcached'; accepted: memory, redis, postgres, tiered
					enabled=perhaps             | 'idempotency.enabled' cannot be 'perhaps'; accepted: true, false
					stroe=redis                 | 'idempotency.stroe' is unknown; did you mean 'store'? accepted: enabled, store, policies, problem-base-uri, documentation-uri, max-buffered, settle-backlog, redis.timeout
					redis.time-out=1s           |
					redis.tiemout=1s            | 'idempotency.redis.tiemout' is unknown; did you mean 'redis.timeout'? accepted: redis.timeout, redis.replicas, redis.key-prefix
					redis.timeout=0s            | 'idempotency.redis.timeout' cannot be '0ms'; accepted: a duration from 1ms
					redis.timeout=fast          | 'idempotency.redis.timeout' cannot be 'fast'; accepted: a duration such as
					redis.replicas=-1           | 'idempotency.redis.replicas' cannot be '-1'; accepted: a whole number from 0
					redis.key-prefix=a{b}       | 'idempotency.redis.key-prefix' cannot be 'a{b}'; accepted: text without braces
					postgres.timeout=0s         | 'idempotency.postgres.timeout' cannot be '0ms'; accepted: a duration from 1ms
					postgres.table=a-b          | 'idempotency.postgres.table' cannot be 'a-b'; accepted: letters, digits and '_'
					memory.max-size=12          | 'idempotency.memory.max-size' cannot be '12B'; accepted: a size of 1KB or more
					memory=12MB                 | 'idempotency.memory' is no value but a group; accepted: memory.max-size
					max-buffered=0B             | 'idempotency.max-buffered' cannot be '0B'; accepted: a size of 1KB or more
					problem-base-uri=a b        | 'idempotency.problem-base-uri' cannot be 'a b'; accepted: the beginning of a URI
					documentation-uri=a b       | 'idempotency.documentation-uri' cannot be 'a b'; accepted: a URI
					policies.payments=strict    | 'idempotency.policies.payments' cannot be 'strict'; accepted: fields below it
					replay.drop-headers=a b     | 'idempotency.replay.drop-headers' cannot be 'a b'; accepted: the name of a header
					""")
	void anImpossibleSettingIsOneLineWithItsNameAndWhatIsAccepted(String setting, String line) {
		this.runner.withPropertyValues("idempotency." + setting).run((context) -> {
			if (line == null) {
				assertThat(context).hasNotFailed();
				return;
			}
			FailureAnalysis analysis = new InvalidSettingFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains(line).doesNotContain("\n");
		});
	}

	@Test
	void aSecretDoesNotReachALog() {
		this.runner.withPropertyValues("idempotency.policies.payments.callback-secret=top-secret")
			.run((context) -> assertThat(context.getBean(IdempotencyProperties.class).toString()).contains("payments")
				.doesNotContain("top-secret"));
	}

	@Test
	void anUnknownNameInTheSystemEnvironmentIsNotOurs() {
		this.runner.withSystemProperties("idempotency.test.full=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theFailureOfAnotherBindingIsLeftToOthers() {
		new ApplicationContextRunner().withUserConfiguration(Configured.class, Foreign.class)
			.withPropertyValues("foreign.number=x")
			.run((context) -> assertThat(new InvalidSettingFailureAnalyzer().analyze(context.getStartupFailure()))
				.isNull());
	}

	@EnableConfigurationProperties(IdempotencyProperties.class)
	static class Configured {

	}

	@EnableConfigurationProperties(ForeignProperties.class)
	static class Foreign {

	}

	@org.springframework.boot.context.properties.ConfigurationProperties("foreign")
	record ForeignProperties(int number) {
	}

}
