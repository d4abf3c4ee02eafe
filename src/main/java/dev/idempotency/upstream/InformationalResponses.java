package dev.idempotency.upstream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;

/**
 * Passes over interim answers of a backend, such as {@code 103 Early Hints}. Reactor
 * Netty takes the first one for the final answer, and a POST that succeeds a moment later
 * would be on record as 103 for ever (RFC 9110, section 15.2: a proxy may drop them).
 *
 * @since 0.1.0
 */
public final class InformationalResponses extends ChannelInboundHandlerAdapter {

	private static final String NAME = "idempotency.informationalResponses";

	private boolean skipping;

	private InformationalResponses() {
	}

	/**
	 * Puts the handler behind the codec of an HTTP/1.1 connection to a backend.
	 * @param channel just initialised
	 */
	public static void dropFrom(Channel channel) {
		if (channel.pipeline().get(NettyPipeline.HttpCodec) != null) {
			channel.pipeline().addAfter(NettyPipeline.HttpCodec, NAME, new InformationalResponses());
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpResponse response) {
			this.skipping = isInterim(response.status());
		}
		if (this.skipping && (message instanceof HttpResponse || message instanceof HttpContent)) {
			ReferenceCountUtil.release(message);
			context.read();
			return;
		}
		context.fireChannelRead(message);
	}

	/** The client itself has to see 100, which it waits for, and 101, which is final. */
	private static boolean isInterim(HttpResponseStatus status) {
		return status.codeClass() == HttpStatusClass.INFORMATIONAL && !status.equals(HttpResponseStatus.CONTINUE)
				&& !status.equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
	}

}
