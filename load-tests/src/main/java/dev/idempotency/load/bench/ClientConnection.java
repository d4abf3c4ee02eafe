package dev.idempotency.load.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/** One connection that stays open; one request at a time. */
final class ClientConnection extends ChannelInboundHandlerAdapter {

	private final AnswerReader reader = new AnswerReader();

	private final Channel channel;

	private @Nullable Listener listener;

	/** Why it cannot be used any more. */
	private @Nullable String fault;

	private boolean waiting;

	private long begun;

	ClientConnection(Channel channel) {
		this.channel = channel;
	}

	/**
	 * Tells who is to hear of answers from now on, and at once of a connection that broke
	 * while nobody was waiting.
	 * @param now nobody if null
	 */
	void listener(@Nullable Listener now) {
		this.listener = now;
		if (now != null && this.fault != null) {
			now.broken(this.fault);
		}
	}

	/**
	 * Sends a request.
	 * @param request is released when it is sent
	 * @param since when its time begins to run, by {@link System#nanoTime()}
	 */
	void send(ByteBuf request, long since) {
		this.begun = since;
		this.waiting = true;
		this.channel.writeAndFlush(request, this.channel.voidPromise());
	}

	/** When the time of the present request began. */
	long begun() {
		return this.begun;
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf received = (ByteBuf) message;
		try {
			if (!this.waiting) {
				throw new IllegalStateException("bytes that nobody has asked for: " + AnswerReader.shown(received));
			}
			int status = this.reader.read(received);
			if (status != 0) {
				this.waiting = false;
				answered(status);
			}
		}
		finally {
			received.release();
		}
	}

	private void answered(int status) {
		if (this.listener != null) {
			this.listener.answered(this, status);
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		broke((cause instanceof IllegalStateException) ? cause.getMessage() : cause.toString());
		context.close();
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		broke("the gateway closed it " + (this.waiting ? "without an answer" : "between two requests"));
	}

	/** Only the first fault counts: what comes after it follows from it. */
	private void broke(String why) {
		if (this.fault == null) {
			this.fault = this.channel + ": " + why;
			if (this.listener != null) {
				this.listener.broken(this.fault);
			}
		}
	}

	/** Hears of what comes of requests. */
	interface Listener {

		void answered(ClientConnection connection, int status);

		/**
		 * The connection can no longer be used.
		 * @param why one line
		 */
		void broken(String why);

	}

}
