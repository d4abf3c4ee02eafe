package dev.idempotency.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;

/**
 * Closes a connection on which a backend sends more than it announced. The surplus would
 * lie there until the next request on this connection, which has nothing to do with it,
 * and be read as its answer (RFC 9112, section 6.3: a client must not do so).
 *
 * @since 0.1.0
 */
public final class SurplusBytes {

	private static final String BEFORE_CODEC = "idempotency.surplusBytes";

	private static final String BEHIND_CODEC = "idempotency.surplusAnswers";

	private boolean idle;

	private SurplusBytes() {
	}

	/**
	 * Watches an HTTP/1.1 connection to a backend.
	 * @param channel just initialised
	 */
	public static void closeOn(Channel channel) {
		if (channel.pipeline().get(NettyPipeline.HttpCodec) != null) {
			SurplusBytes watch = new SurplusBytes();
			channel.pipeline().addBefore(NettyPipeline.HttpCodec, BEFORE_CODEC, watch.new Bytes());
			channel.pipeline().addAfter(NettyPipeline.HttpCodec, BEHIND_CODEC, watch.new Answers());
		}
	}

	/** Sees what the codec leaves unread behind the end of an answer. */
	private final class Bytes extends ChannelInboundHandlerAdapter {

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			if (!(message instanceof ByteBuf bytes)) {
				context.fireChannelRead(message);
				return;
			}
			// Kept until it has been looked at: whoever hears of the end of the answer
			// may be given this very buffer for what he does next.
			bytes.retain();
			try {
				context.fireChannelRead(bytes);
				if (SurplusBytes.this.idle && bytes.isReadable()) {
					context.close();
				}
			}
			finally {
				bytes.release();
			}
		}

	}

	/** Sees answers begin without a request, and where one ends. */
	private final class Answers extends ChannelDuplexHandler {

		private boolean interim;

		@Override
		public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
			if (message instanceof HttpRequest) {
				SurplusBytes.this.idle = false;
			}
			context.write(message, promise);
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			if (SurplusBytes.this.idle && message instanceof HttpResponse) {
				ReferenceCountUtil.release(message);
				context.close();
				return;
			}
			if (message instanceof HttpResponse response) {
				this.interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
			}
			if (message instanceof LastHttpContent && !this.interim) {
				SurplusBytes.this.idle = true;
			}
			context.fireChannelRead(message);
		}

	}

}
