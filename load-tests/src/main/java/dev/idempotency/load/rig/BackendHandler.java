package dev.idempotency.load.rig;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** One connection of the backend. */
final class BackendHandler extends SimpleChannelInboundHandler<HttpObject> {

	private static final String LEDGER = "/ledger";

	/** Requests of which no account is kept. */
	private static final String WARM_UP = "/warm-up";

	private static final String KEY = "Idempotency-Key";

	private final Ledger ledger;

	private @Nullable HttpRequest request;

	private byte[] padding = new byte[0];

	BackendHandler(Ledger ledger) {
		this.ledger = ledger;
	}

	@Override
	protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
		if (part instanceof HttpRequest head) {
			this.request = head;
		}
		if (part instanceof LastHttpContent && this.request != null) {
			serve(context, this.request);
		}
	}

	/** Only now: before its end a request may still be taken back. */
	private void serve(ChannelHandlerContext context, HttpRequest whole) {
		if (whole.uri().equals(LEDGER)) {
			context.writeAndFlush(json(HttpResponseStatus.OK, this.ledger.json().getBytes(StandardCharsets.US_ASCII)));
			return;
		}
		Wish wish = Wish.of(whole.uri());
		if (whole.uri().startsWith(WARM_UP)) {
			context.writeAndFlush(created(body(wish.size())));
			return;
		}
		this.ledger.arrived();
		if (wish.refused(System.nanoTime())) {
			context.writeAndFlush(json(HttpResponseStatus.SERVICE_UNAVAILABLE, body(2)));
			return;
		}
		byte[] body = execute(whole.headers().get(KEY), wish);
		if (wish.delay().isZero()) {
			context.writeAndFlush(created(body));
			return;
		}
		context.executor()
			.schedule(() -> context.writeAndFlush(created(body)), wish.delay().toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * The answer tells whose order was made, so that nobody takes another's for his own.
	 */
	private byte[] execute(@Nullable String key, Wish wish) {
		if (key == null) {
			return body(wish.size());
		}
		int execution = this.ledger.executed(key);
		if (!this.ledger.knowsKeys()) {
			return body(wish.size());
		}
		String order = "{\"order\":\"" + key + "\",\"execution\":" + execution + "}";
		byte[] body = Arrays.copyOf(order.getBytes(StandardCharsets.US_ASCII), Math.max(order.length(), wish.size()));
		Arrays.fill(body, order.length(), body.length, (byte) ' ');
		return body;
	}

	static FullHttpResponse created(byte[] body) {
		FullHttpResponse answer = json(HttpResponseStatus.CREATED, body);
		answer.headers().set(HttpHeaderNames.LOCATION, "/orders/4711").set("X-Served-By", "backend");
		return answer;
	}

	private static FullHttpResponse json(HttpResponseStatus status, byte[] body) {
		FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
				Unpooled.wrappedBuffer(body));
		answer.headers()
			.set(HttpHeaderNames.CONTENT_TYPE, "application/json")
			.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
		return answer;
	}

	/** A JSON object of this size; made once, since mostly the same size is wanted. */
	private byte[] body(int size) {
		if (this.padding.length != size) {
			byte[] object = new byte[size];
			Arrays.fill(object, (byte) ' ');
			object[0] = '{';
			object[size - 1] = '}';
			this.padding = object;
		}
		return this.padding;
	}

	/** Clients and gateways that are killed leave broken connections behind. */
	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		context.close();
	}

}
