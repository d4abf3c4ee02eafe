package dev.idempotency.upstream;

import java.util.concurrent.atomic.AtomicInteger;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;

/** Speaks HTTP/2 in clear text, and refuses in the ways only HTTP/2 knows. */
final class Http2Backend implements AutoCloseable {

	private final EventLoopGroup threads = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

	private final AtomicInteger requests = new AtomicInteger();

	private final Channel channel;

	Http2Backend(Act act) throws InterruptedException {
		this.channel = new ServerBootstrap().group(this.threads)
			.channel(NioServerSocketChannel.class)
			.childHandler(new ChannelInitializer<Channel>() {

				@Override
				protected void initChannel(Channel connection) {
					connection.pipeline().addLast(Http2FrameCodecBuilder.forServer().build(), new Requests(act));
				}

			})
			.bind("127.0.0.1", 0)
			.sync()
			.channel();
	}

	String uri() {
		return "http://127.0.0.1:" + ((java.net.InetSocketAddress) this.channel.localAddress()).getPort();
	}

	int requests() {
		return this.requests.get();
	}

	@Override
	public void close() {
		this.threads.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS);
	}

	/** What to do once a request is there. */
	enum Act {

		ANSWER {
			@Override
			void on(ChannelHandlerContext context, Http2FrameStream stream) {
				context.writeAndFlush(
						new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("201"), true).stream(stream));
			}
		},
		REFUSE_STREAM {
			@Override
			void on(ChannelHandlerContext context, Http2FrameStream stream) {
				context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM).stream(stream));
			}
		},
		RESET_STREAM {
			@Override
			void on(ChannelHandlerContext context, Http2FrameStream stream) {
				context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR).stream(stream));
			}
		},
		GO_AWAY_BEFORE_IT {
			@Override
			void on(ChannelHandlerContext context, Http2FrameStream stream) {
				goAway(context, 0);
			}
		},
		GO_AWAY_WITH_IT {
			@Override
			void on(ChannelHandlerContext context, Http2FrameStream stream) {
				goAway(context, stream.id());
			}
		};

		abstract void on(ChannelHandlerContext context, Http2FrameStream stream);

		private static void goAway(ChannelHandlerContext context, int lastStream) {
			Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
			codec.encoder()
				.writeGoAway(context.pipeline().context(codec), lastStream, Http2Error.NO_ERROR.code(),
						io.netty.buffer.Unpooled.EMPTY_BUFFER, context.newPromise())
				.addListener((done) -> context.executor()
					.schedule(() -> context.close(), 50, java.util.concurrent.TimeUnit.MILLISECONDS));
			context.flush();
		}

	}

	private final class Requests extends ChannelInboundHandlerAdapter {

		private final Act act;

		Requests(Act act) {
			this.act = act;
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			boolean ends = (message instanceof Http2DataFrame data && data.isEndStream())
					|| (message instanceof Http2HeadersFrame headers && headers.isEndStream());
			Http2FrameStream stream = (message instanceof io.netty.handler.codec.http2.Http2StreamFrame frame)
					? frame.stream() : null;
			ReferenceCountUtil.release(message);
			if (ends && stream != null) {
				Http2Backend.this.requests.incrementAndGet();
				this.act.on(context, stream);
			}
		}

	}

}
