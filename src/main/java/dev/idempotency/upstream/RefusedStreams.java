package dev.idempotency.upstream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import reactor.netty.NettyPipeline;

/**
 * Makes an error of a backend's word that it has not looked at a request: a stream it
 * refused, or one above the last it says it took before it goes away (RFC 9113, section
 * 8.7). Reactor Netty shows both as a connection that closed.
 */
final class RefusedStreams extends ChannelInboundHandlerAdapter {

	private static final String NAME = "idempotency.refusedStreams";

	private RefusedStreams() {
	}

	/** Puts the handler in front of Reactor Netty's, on HTTP/2 streams only. */
	static void reportFrom(Channel channel) {
		if (channel instanceof Http2StreamChannel && channel.pipeline().get(NAME) == null) {
			channel.pipeline().addBefore(NettyPipeline.ReactiveBridge, NAME, new RefusedStreams());
		}
	}

	@Override
	public void userEventTriggered(ChannelHandlerContext context, Object event) {
		boolean refused = event instanceof Http2ResetFrame reset
				&& reset.errorCode() == Http2Error.REFUSED_STREAM.code();
		if (refused || event instanceof Http2GoAwayFrame) {
			context.fireExceptionCaught(new RefusedStreamException());
		}
		context.fireUserEventTriggered(event);
	}

	/** The backend has not looked at the request. */
	static final class RefusedStreamException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		RefusedStreamException() {
			super("the backend refused the stream", null, false, false);
		}

	}

}
