package dev.idempotency.app;

import java.util.ArrayDeque;
import java.util.Queue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;
import reactor.netty.channel.ChannelOperations;

/**
 * Holds a pipelined request back until the one before it is answered. Reactor Netty looks
 * at the {@code Connection: close} of a request that waits, and closes the connection
 * after the answer before it: the waiting request, whose bytes were taken, would get no
 * answer at all (RFC 9112, sections 9.3.2 and 9.6).
 */
final class OneRequestAtATime extends ChannelDuplexHandler {

	private static final String NAME = "idempotency.oneRequestAtATime";

	private final Queue<Object> waiting = new ArrayDeque<>();

	private boolean answering;

	private boolean answerWritten;

	private boolean readWanted;

	private boolean interim;

	private OneRequestAtATime() {
	}

	static void on(Channel channel) {
		if (channel.pipeline().get(NettyPipeline.HttpTrafficHandler) != null) {
			channel.pipeline().addBefore(NettyPipeline.HttpTrafficHandler, NAME, new OneRequestAtATime());
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		boolean next = message instanceof HttpRequest && this.answering;
		if (next || !this.waiting.isEmpty()) {
			this.waiting.add(message);
			return;
		}
		pass(context, message);
	}

	private void pass(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpRequest) {
			this.answering = true;
			this.answerWritten = false;
		}
		context.fireChannelRead(message);
	}

	/** What waits is enough: the socket may fill up behind it. */
	@Override
	public void read(ChannelHandlerContext context) {
		if (this.waiting.isEmpty()) {
			context.read();
		}
		else {
			this.readWanted = true;
		}
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		if (message instanceof HttpResponse response) {
			this.interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
		}
		boolean answered = message instanceof LastHttpContent && !this.interim;
		context.write(message, promise);
		if (answered) {
			this.answerWritten = true;
			context.executor().execute(() -> next(context));
		}
	}

	/** Reactor Netty tells so that a request is over. */
	@Override
	public void userEventTriggered(ChannelHandlerContext context, Object event) {
		context.fireUserEventTriggered(event);
		if (this.answering && this.answerWritten) {
			context.executor().execute(() -> next(context));
		}
	}

	/**
	 * Reactor Netty may hear that the answer was written after we did. A request that
	 * comes before is put aside there, and with a {@code Connection: close} it is never
	 * looked at again.
	 */
	private void next(ChannelHandlerContext context) {
		if (!this.answering || !this.answerWritten || ChannelOperations.get(context.channel()) != null) {
			return;
		}
		this.answering = false;
		while (!this.waiting.isEmpty() && !(this.answering && this.waiting.peek() instanceof HttpRequest)) {
			pass(context, this.waiting.remove());
		}
		context.fireChannelReadComplete();
		if (this.waiting.isEmpty() && this.readWanted) {
			this.readWanted = false;
			context.read();
		}
	}

	@Override
	public void handlerRemoved(ChannelHandlerContext context) {
		this.waiting.forEach(ReferenceCountUtil::release);
		this.waiting.clear();
	}

}
