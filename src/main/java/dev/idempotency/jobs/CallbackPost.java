package dev.idempotency.jobs;

import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;

import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

import dev.idempotency.core.CallbackTarget;
import dev.idempotency.core.IdempotencyPolicy.JobRules;
import dev.idempotency.core.IdempotencyRecord;
import dev.idempotency.core.Job;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * Posts the end of one job, signed, to where its client wants it: without following
 * redirects, without a proxy, and only to addresses that the policy permits, which are
 * looked at after the name was resolved and right before the connection is made.
 *
 * @since 0.1.0
 */
public final class CallbackPost {

	/** Carries the time and the signature. */
	public static final String SIGNATURE = "Idempotency-Signature";

	private final HttpClient client;

	private final Duration timeout;

	private final InstantSource clock;

	/**
	 * A sender.
	 * @param timeout for one post
	 * @param clock for the time that is signed
	 */
	public CallbackPost(Duration timeout, InstantSource clock) {
		this.timeout = timeout;
		this.clock = clock;
		this.client = HttpClient.create(ConnectionProvider.newConnection())
			.noProxy()
			.followRedirect(false)
			.disableRetry(true)
			.keepAlive(false)
			.responseTimeout(timeout);
	}

	Mono<Result> post(String uri, IdempotencyRecord record, Job job, JobRules rules) {
		CallbackTarget target = CallbackTarget.parse(uri);
		String secret = rules.callbackSecret();
		if (target == null || secret == null || !target.isPermitted(rules.callbackHosts())) {
			return Mono.just(new Result.Failed("the policy does not permit it any more", false));
		}
		byte[] body = CallbackBody.write(record, job);
		return this.client
			.resolver(new PermittedAddresses(address -> target.isPermitted(rules.callbackHosts(), address)))
			.headers(headers -> headers.set("Content-Type", "application/json")
				.set(SIGNATURE, CallbackSignature.of(secret, this.clock.instant(), body))
				.set("Content-Length", body.length))
			.post()
			.uri(target.uri())
			.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
			.response()
			.map(response -> answered(response.status().code()))
			.timeout(this.timeout)
			.onErrorResume(error -> Mono.just(failed(error)));
	}

	private static Result answered(int status) {
		if (status >= 200 && status < 300) {
			return new Result.Delivered();
		}
		return new Result.Failed("it answered " + status, status != 410);
	}

	private static Result failed(Throwable error) {
		@Nullable Throwable cause = error;
		while (cause != null) {
			if (cause instanceof PermittedAddresses.RefusedException) {
				return new Result.Failed("its address is not permitted", false);
			}
			cause = cause.getCause();
		}
		return new Result.Failed("it could not be reached: " + error.getClass().getSimpleName(), true);
	}

	/** Whether an address may be connected to. */
	interface Permission {

		boolean permits(InetAddress address);

	}

	/** What came of a post. */
	sealed interface Result {

		/** It was taken. */
		record Delivered() implements Result {
		}

		/**
		 * It was not.
		 *
		 * @param why for the log; holds nothing of the address
		 * @param worthAnother whether another try may end otherwise
		 */
		record Failed(String why, boolean worthAnother) implements Result {
		}

	}

}
