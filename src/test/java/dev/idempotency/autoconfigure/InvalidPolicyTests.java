package dev.idempotency.autoconfigure;

import java.util.Map;

import dev.idempotency.autoconfigure.IdempotencyProperties.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class InvalidPolicyTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					unknown: maybe                                  | unknown                         | 'maybe'          | hold, retry, reconcile
					preset: lax                                     | preset                          | 'lax'            | strict, standard, relaxed
					mode: dry-run                                   | mode                            | 'dry-run'        | enforce, observe
					key: always                                     | key                             | 'always'         | required, optional
					key-format: ulid                                | key-format                      | 'ulid'           | any, uuid
					key-syntax: loose                               | key-syntax                      | 'loose'          | lenient, strict
					key-max-length: 0                               | key-max-length                  | '0'              | 1 to 8192
					key-max-length: 9000                            | key-max-length                  | '9000'           | 1 to 8192
					key-max-length: long                            | key-max-length                  | 'long'           | a whole number
					header: 'Idempotency Key'                       | header                          | 'Idempotency Key' | the name of a header
					aliases: [ 'a:b' ]                              | aliases                         | 'a:b'            | the name of a header
					methods: [ POTS ]                               | methods                         | 'POTS'           | POST, PATCH, PUT, DELETE
					methods: [ OPTIONS ]                            | methods                         | 'OPTIONS'        | POST, PATCH, PUT, DELETE
					methods: []                                     | methods                         | empty            | POST, PATCH, PUT, DELETE
					caller: [ user ]                                | caller                          | 'user'           | principal, authorization, header:NAME, cookie:NAME, client-ip
					caller: [ 'header:' ]                           | caller                          | 'header:'        | header:NAME
					caller: [ header ]                              | caller                          | 'header'         | header:NAME
					caller: [ 'principal:x' ]                       | caller                          | 'principal:x'    | principal, authorization
					caller: []                                      | caller                          | empty            | anonymous: share
					anonymous: allow                                | anonymous                       | 'allow'          | reject, share
					namespace: ' '                                  | namespace                       | empty            | any text
					fingerprint: xml                                | fingerprint                     | 'xml'            | bytes, json
					fingerprint-headers: [ 'a b' ]                  | fingerprint-headers             | 'a b'            | the name of a header
					fingerprint-exclude: [ ts ]                     | fingerprint-exclude             | 'ts'             | JSON pointers
					ttl: soon                                       | ttl                             | 'soon'           | a duration such as
					ttl: 0s                                         | ttl                             | '0ms'            | 1ms to 3650d
					ttl: -5s                                        | ttl                             | '-5s'            | 1ms to 3650d
					ttl: 99999999d                                  | ttl                             |                  | 1ms to 3650d
					unknown-ttl: 0s                                 | unknown-ttl                     | '0ms'            | 1ms to 3650d
					lease: 500ms                                    | lease                           | '500ms'          | 1s to 3650d
					in-flight: queue                                | in-flight                       | 'queue'          | reject, wait
					in-flight: wait, wait: 40s                      | wait                            | '40s'            | up to wait-max, which is 30s
					in-flight: wait, wait: 0s                       | wait                            | '0ms'            | above 0 up to wait-max
					wait: -1s                                       | wait                            | '-1s'            | 0ms to 3650d
					wait-max: -1s                                   | wait-max                        | '-1s'            | 0ms to 3650d
					timeout: 0s                                     | timeout                         | '0ms'            | 1ms to 3650d
					deadline: 0s                                    | deadline                        | '0ms'            | 1ms to 3650d
					late-answer: -1s                                | late-answer                     | '-1s'            | 0ms to 3650d
					late-answer-max: -1                             | late-answer-max                 | '-1'             | 0 to 1000000
					max-in-flight: 0                                | max-in-flight                   | '0'              | 1 to 1000000
					max-request-size: big                           | max-request-size                | 'big'            | a size such as
					max-request-size: 2GB                           | max-request-size                | '2GB'            | 0B to 1GB
					max-response-size: -1B                          | max-response-size               | '-1B'            | 0B to 1GB
					no-store: drop                                  | no-store                        | 'drop'           | keep, tombstone
					store-failure: open                             | store-failure                   | 'open'           | reject, forward
					release-on: [ 42 ]                              | release-on                      | '42'             | 300 to 599
					release-on: [ 202 ]                             | release-on                      | '202'            | 300 to 599
					release-on: [ 429, 5xx ]                        | release-on[1]                   | '5xx'            | a whole number
					release-on: '429, 5xx'                          | release-on                      | '429, 5xx'       | a list, each a whole number
					unknown-on: [ 600 ]                             | unknown-on                      | '600'            | 200 to 599
					in-progress-on: [ 0 ]                           | in-progress-on                  | '0'              | 200 to 599
					release-on: [ 404, 429 ], unknown-on: [ 404 ]   | unknown-on                      | 404              | release-on
					backend-idempotent: perhaps                     | backend-idempotent              | 'perhaps'        | true, false
					retry: 4                                        | retry                           | is no value     | retry.max-attempts, retry.statuses
					retry: { max-attempts: 0 }                      | retry.max-attempts              | '0'              | 1 to 100
					retry: { statuses: [ 1000 ] }                   | retry.statuses                  | '1000'           | 300 to 599
					retry: { backoff: 0ms }                         | retry.backoff                   | '0ms'            | 1ms to 3650d
					retry: { multiplier: 0.5 }                      | retry.multiplier                | '0.5'            | 1.0 to 100.0
					retry: { multiplier: twice }                    | retry.multiplier                | 'twice'          | a number such as 0.5
					retry: { max-backoff: 50ms }                    | retry.max-backoff               | '50ms'           | retry.backoff, which is 100ms
					retry: { jitter: 1.5 }                          | retry.jitter                    | '1.5'            | 0.0 to 1.0
					retry: { jitter: NaN }                          | retry.jitter                    | 'NaN'            | 0.0 to 1.0
					retry: { budget: -0.1 }                         | retry.budget                    | '-0.1'           | 0.0 to 100.0
					circuit-breaker: { enabled: maybe }             | circuit-breaker.enabled         | 'maybe'          | true, false
					circuit-breaker: { window: 0 }                  | circuit-breaker.window          | '0'              | 1 to 1000000
					circuit-breaker: { minimum-calls: 200 }         | circuit-breaker.minimum-calls   | '200'            | 1 to 100
					circuit-breaker: { failure-rate: 0 }            | circuit-breaker.failure-rate    | '0.0'            | 0.01 to 1.0
					circuit-breaker: { open: 0s }                   | circuit-breaker.open            | '0ms'            | 1ms to 3650d
					circuit-breaker: { half-open-calls: 0 }         | circuit-breaker.half-open-calls | '0'              | 1 to 1000000
					unknown: reconcile                              | reconcile.uri                   | is needed        | {key}
					unknown: reconcile, reconcile: { uri: 'http://p/q' }         | reconcile.uri      | 'http://p/q'     | {key}
					unknown: reconcile, reconcile: { uri: 'ftp://p/{key}' }      | reconcile.uri      | 'ftp://p/{key}'  | http or https
					unknown: reconcile, reconcile: { uri: '/q/{key}' }           | reconcile.uri      | '/q/{key}'       | http or https
					unknown: reconcile, reconcile: { uri: 'http://p/{key}/{id}' } | reconcile.uri     | 'http://p/{key}/{id}' | http or https
					unknown: reconcile, reconcile: { uri: 'http://p/{key}', applied: 404 } | reconcile.not-applied | 404 | one of the two lists
					unknown: reconcile, reconcile: { uri: 'http://p/{key}', timeout: 0s }  | reconcile.timeout | '0ms'     | 1ms to 3650d
					unknown: reconcile, reconcile: { uri: 'http://p/{key}', settle-after: -1s }  | reconcile.settle-after | '-1s' | 0ms to 3650d
					async: sometimes                                | async                           | sometimes        | off, on-request, always
					jobs: { concurrency: 0 }                        | jobs.concurrency                | '0'              | 1 to 10000
					jobs: { max-queued: 0 }                         | jobs.max-queued                 | '0'              | 1 to 1000000
					callback-hosts: [ 'http://a' ], callback-secret: s | callback-hosts               | 'http://a'       | *.NAME
					callback-hosts: [ 'a.b:99999' ], callback-secret: s | callback-hosts              | 'a.b:99999'      | 1 to 65535
					callback-hosts: [ 'a.b:0' ], callback-secret: s | callback-hosts                  | 'a.b:0'          | 1 to 65535
					callback-hosts: [ '*.com' ], callback-secret: s | callback-hosts                  | '*.com'          | two labels
					callback-hosts: [ '*' ], callback-secret: s     | callback-hosts                  | '*'              | *.NAME
					callback-hosts: [ 'a..b' ], callback-secret: s  | callback-hosts                  | 'a..b'           | *.NAME
					callback-hosts: [ '1.2.3.400' ], callback-secret: s | callback-hosts              | '1.2.3.400'      | IPv4
					callback-hosts: [ '1.2.3' ], callback-secret: s | callback-hosts                  | '1.2.3'          | IPv4
					callback-hosts: [ '[1::2::3]' ], callback-secret: s | callback-hosts              | '[1::2::3]'      | IPv6
					callback-hosts: [ '10.0.0.0/33' ], callback-secret: s | callback-hosts            | '10.0.0.0/33'    | 10.0.0.0/8
					async: always, callback-hosts: [ a.example ]    | callback-secret                 | not set          | any text
					ttl: ~                                          | ttl                             | has no value     |
					""")
	void anImpossibleValueIsNamedWithRouteFieldAndWhatIsAccepted(String fields, String field, String value,
			String accepted) {
		String message = refusal(Yaml.payments(fields), Map.of("policy", "payments"));
		assertThat(message).startsWith("Route 'pay-route', policy 'payments': field '" + field + "'")
			.contains(nullToEmpty(value), nullToEmpty(accepted))
			.doesNotContain("\n");
	}

	@Test
	void anUnknownFieldIsNamedWithTheNearestAndAllOthers() {
		assertThat(refusal(Yaml.payments("time-to-live: 5s"), Map.of("policy", "payments")))
			.startsWith(
					"Route 'pay-route', policy 'payments': field 'time-to-live' is unknown; accepted: preset, header")
			.contains("ttl", "retry.max-attempts", "circuit-breaker.window", "reconcile.uri");
		assertThat(refusal(Yaml.payments("tll: 5s"), Map.of("policy", "payments")))
			.contains("field 'tll' is unknown; did you mean 'ttl'?");
	}

	@Test
	void anUnknownFieldInAGroupIsNamedWithItsGroup() {
		assertThat(refusal(Yaml.payments("retry: { attempts: 5 }"), Map.of("policy", "payments")))
			.contains("field 'retry.attempts' is unknown; accepted: retry.max-attempts, retry.statuses")
			.doesNotContain("ttl");
	}

	@Test
	void anUnknownArgumentIsNamed() {
		assertThat(refusal(Yaml.payments("ttl: 5s"), Map.of("policy", "payments", "retri.max-attempts", "5")))
			.contains("field 'retri.max-attempts' is unknown; did you mean 'retry.max-attempts'?");
	}

	@Test
	void anUnknownPolicyIsNamedWithThoseThatExist() {
		assertThat(refusal(Yaml.payments("ttl: 5s"), Map.of("policy", "no-such-policy")))
			.isEqualTo("Route 'pay-route', policy 'no-such-policy': there is no such policy; known: default, payments");
	}

	@Test
	void theShortFormTakesOneArgument() {
		assertThat(refusal(Yaml.payments("ttl: 5s"), Map.of("policy", "payments", "_genkey_1", "ttl: 5s")))
			.contains("'ttl: 5s' is one argument too many");
	}

	@Test
	void strictNeedsItsCallerSetByHand() {
		assertThat(refusal(Yaml.payments("preset: strict, allow-volatile-store: true"), Map.of("policy", "payments")))
			.contains("field 'caller' has to be set explicitly under preset strict", "principal, authorization");
	}

	@Test
	void strictDoesNotAcceptAStoreThatForgets() {
		assertThat(refusal(Yaml.payments("preset: strict, caller: [ principal ]"), Map.of("policy", "payments")))
			.contains("field 'preset' is strict", "idempotency.store is memory", "allow-volatile-store: true");
	}

	@Test
	void theLineOfTheFileIsNamed() {
		assertThat(refusal(Yaml.payments("ttl: soon"), Map.of("policy", "payments"))).contains("3:22");
	}

	@Test
	void aValueWithLineBreaksStaysOnOneLine() {
		assertThat(refusal(Yaml.payments("ttl: 5s"),
				Map.of("policy", "payments", "unknown", "a\nb\r\nc" + "x".repeat(500))))
			.contains("'a b  cxxx")
			.hasSizeLessThan(300);
	}

	@Test
	void aSecretIsNotShown() {
		assertThat(refusal(Yaml.payments("callback-secret: { key: top-secret }"), Map.of("policy", "payments")))
			.contains("field 'callback-secret.key' is unknown")
			.doesNotContain("top-secret");
	}

	private static String refusal(Environment environment, Map<String, String> arguments) {
		PolicyFactory factory = new PolicyFactory(environment, Store.MEMORY);
		return catchThrowableOfType(InvalidPolicyException.class, () -> factory.policyFor("pay-route", arguments))
			.getMessage();
	}

	private static String nullToEmpty(String text) {
		return (text != null) ? text : "";
	}

}
