package dev.idempotency.load.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** One connection that stays open; one request at a time. */
final class ClientConnection extends ChannelInboundHandlerAdapter {

	private final AnswerReader reader = new AnswerReader();

	private final Channel channel;

	private Listener listener = (connection, status) -> {
	};

	private long begun;

	ClientConnection(Channel channel) {
		this.channel = channel;
	}

	void listener(Listener now) {
		this.listener = now;
	}

	/**
	 * Sends a request.
	 * @param request is released when it is sent
	 * @param since when its time begins to run, by {@link System#nanoTime()}
	 */
	void send(ByteBuf request, long since) {
		this.begun = since;
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
			int status = this.reader.read(received);
			if (status != 0) {
				this.listener.answered(this, status);
			}
		}
		finally {
			received.release();
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		cause.printStackTrace();
		context.close();
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		this.listener.answered(this, 0);
	}

	/** Is told of each answer; status 0 is a connection that broke. */
	interface Listener {

		void answered(ClientConnection connection, int status);

	}

}
