package dev.idempotency.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;

import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Reads the content of a backend's answer. As long as it fits it is collected into one
 * array. Beyond that, or at once for a stream, it is relayed as it comes, at the client's
 * pace; when the client has gone it is read on and thrown away, because only its end
 * tells whether it was whole.
 */
final class AnswerBody extends BaseSubscriber<byte[]> {

	private final Terms terms;

	private final Sinks.One<Content> content = Sinks.one();

	private final Sinks.Empty<Void> over = Sinks.empty();

	private final List<byte[]> pieces = new ArrayList<>(2);

	private volatile Phase phase = Phase.COLLECT;

	private long collected;

	private volatile long lastByte;

	private volatile @Nullable FluxSink<byte[]> client;

	private volatile @Nullable Disposable watch;

	AnswerBody(Terms terms) {
		this.terms = terms;
	}

	/** The content, or that it cannot be collected; an error if it broke off before. */
	Mono<Content> content() {
		return this.content.asMono();
	}

	/** Completes when the content was whole, fails when it broke off. */
	Mono<Void> over() {
		return this.over.asMono();
	}

	/** Gives up: the connection is closed. */
	void cut(Throwable why) {
		cancel();
		end(why);
	}

	@Override
	protected void hookOnSubscribe(Subscription subscription) {
		if (this.terms.streams()) {
			open();
		}
		else {
			request(1);
		}
	}

	@Override
	protected void hookOnNext(byte[] piece) {
		if (this.phase == Phase.COLLECT) {
			collect(piece);
		}
		else if (this.phase == Phase.RELAY) {
			relay(piece);
		}
	}

	private void collect(byte[] piece) {
		this.pieces.add(piece);
		this.collected += piece.length;
		if (this.collected > this.terms.limit() || !this.terms.share().take(piece.length)) {
			open();
		}
		else {
			request(1);
		}
	}

	private void relay(byte[] piece) {
		this.lastByte = now();
		FluxSink<byte[]> sink = this.client;
		if (sink != null) {
			sink.next(piece);
		}
	}

	@Override
	protected void hookOnComplete() {
		if (this.phase == Phase.COLLECT) {
			this.content.tryEmitValue(new Content.Whole(joined()));
		}
		end(null);
	}

	@Override
	protected void hookOnError(Throwable error) {
		end(error);
	}

	private void end(@Nullable Throwable error) {
		Disposable timer = this.watch;
		if (timer != null) {
			timer.dispose();
		}
		if (error == null) {
			this.over.tryEmitEmpty();
		}
		else {
			this.content.tryEmitError(error);
			this.over.tryEmitError(error);
		}
	}

	private void open() {
		this.phase = Phase.RELAY;
		this.lastByte = now();
		long gap = this.terms.gap().toMillis();
		this.watch = this.terms.scheduler().schedulePeriodically(this::look, gap, gap, TimeUnit.MILLISECONDS);
		this.content.tryEmitValue(new Content.Opened(Flux.create(this::attach), this.over.asMono()));
	}

	private void attach(FluxSink<byte[]> sink) {
		if (!adopts(sink)) {
			sink.error(new CancellationException("the answer was not fetched in time"));
			return;
		}
		this.pieces.forEach(sink::next);
		this.pieces.clear();
		this.over.asMono().subscribe(nothing -> {
		}, sink::error, sink::complete);
		sink.onCancel(() -> drain(sink));
		sink.onRequest(this::request);
	}

	private synchronized boolean adopts(FluxSink<byte[]> sink) {
		if (this.phase == Phase.DRAIN) {
			return false;
		}
		this.client = sink;
		return true;
	}

	/** The client has gone, or never came, or has stopped to read. */
	private void drain(@Nullable FluxSink<byte[]> gone) {
		if (!beginsToDrain(gone)) {
			return;
		}
		this.pieces.clear();
		Disposable timer = this.watch;
		if (timer != null) {
			timer.dispose();
		}
		this.watch = this.terms.scheduler()
			.schedule(() -> cut(new TimeoutException("the answer did not end")), this.terms.drain().toMillis(),
					TimeUnit.MILLISECONDS);
		request(Long.MAX_VALUE);
	}

	/** Not if the client came at this very moment. */
	@SuppressWarnings("ReferenceEquality")
	private synchronized boolean beginsToDrain(@Nullable FluxSink<byte[]> gone) {
		if (this.phase == Phase.DRAIN || this.client != gone) {
			return false;
		}
		this.phase = Phase.DRAIN;
		return true;
	}

	private void look() {
		long silence = now() - this.lastByte;
		FluxSink<byte[]> sink = this.client;
		if (silence < this.terms.gap().toNanos()) {
			return;
		}
		if (sink == null) {
			drain(null);
		}
		else if (sink.requestedFromDownstream() > 0) {
			cut(new TimeoutException("the answer paused for too long"));
		}
		else if (silence >= this.terms.drain().toNanos()) {
			drain(sink);
			sink.error(new TimeoutException("the client does not read"));
		}
	}

	private long now() {
		return this.terms.scheduler().now(TimeUnit.NANOSECONDS);
	}

	private byte[] joined() {
		if (this.pieces.size() == 1) {
			return this.pieces.get(0);
		}
		byte[] whole = new byte[(int) this.collected];
		int at = 0;
		for (byte[] piece : this.pieces) {
			System.arraycopy(piece, 0, whole, at, piece.length);
			at += piece.length;
		}
		return whole;
	}

	private enum Phase {

		COLLECT, RELAY, DRAIN

	}

	/**
	 * On which terms an answer is read.
	 *
	 * @param streams whether it is relayed from its first byte on
	 * @param limit largest content that is collected, in bytes
	 * @param gap longest pause between bytes that are relayed
	 * @param drain how long to read on after the client has gone, and how long to wait
	 * for one that does not read
	 * @param share where the bytes that are collected count
	 * @param scheduler for the two times
	 */
	record Terms(boolean streams, long limit, Duration gap, Duration drain, BodyBudget.Share share,
			Scheduler scheduler) {
	}

	/** What became of the content. */
	sealed interface Content {

		/**
		 * It is whole.
		 *
		 * @param bytes all of it
		 */
		record Whole(byte[] bytes) implements Content {
		}

		/**
		 * It has begun and is relayed.
		 *
		 * @param body from its first byte on
		 * @param end completes when it was whole, fails when it broke off
		 */
		record Opened(Flux<byte[]> body, Mono<Void> end) implements Content {
		}

	}

}
