package dev.idempotency.store.redis;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The commands of the store as Redis reads them, for every topology. */
final class RedisWire {

	private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

	private RedisWire() {
	}

	static AsyncCommand<byte[], byte[], String> setIfAbsent(byte[] key, byte[] value, long millis) {
		return command(CommandType.SET, new StatusOutput<>(CODEC),
				args().addKey(key).addValue(value).add("NX").add("PX").add(millis));
	}

	/** The reply is nil if the value was set, else what stands there. */
	static AsyncCommand<byte[], byte[], byte[]> setIfAbsentAndGet(byte[] key, byte[] value, long millis) {
		return command(CommandType.SET, new ValueOutput<>(CODEC),
				args().addKey(key).addValue(value).add("NX").add("GET").add("PX").add(millis));
	}

	static AsyncCommand<byte[], byte[], byte[]> get(byte[] key) {
		return command(CommandType.GET, new ValueOutput<>(CODEC), args().addKey(key));
	}

	static AsyncCommand<byte[], byte[], Long> waitFor(int replicas, long millis) {
		return command(CommandType.WAIT, new IntegerOutput<>(CODEC), args().add(replicas).add(millis));
	}

	static Mono<String> ping(StatefulConnection<byte[], byte[]> connection) {
		return send(connection, () -> command(CommandType.PING, new StatusOutput<>(CODEC), args()));
	}

	static Mono<String> info(StatefulConnection<byte[], byte[]> connection) {
		return send(connection, () -> command(CommandType.INFO, new StatusOutput<>(CODEC), args()));
	}

	/** Runs a script whose reply is a number. */
	static Mono<Long> number(StatefulConnection<byte[], byte[]> connection, RedisScript script, byte[] key,
			byte[]... values) {
		return number(connection, script, List.of(key), values);
	}

	/** The same with several keys of one slot. */
	static Mono<Long> number(StatefulConnection<byte[], byte[]> connection, RedisScript script, List<byte[]> keys,
			byte[]... values) {
		return run(connection, () -> new IntegerOutput<>(CODEC), script, keys, values);
	}

	/** Runs a script whose reply is a list of value and remaining life, or empty. */
	static Mono<List<Object>> list(StatefulConnection<byte[], byte[]> connection, RedisScript script, byte[] key,
			byte[]... values) {
		return list(connection, script, List.of(key), values);
	}

	/** The same with several keys of one slot, for a list of anything. */
	static Mono<List<Object>> list(StatefulConnection<byte[], byte[]> connection, RedisScript script, List<byte[]> keys,
			byte[]... values) {
		return run(connection, () -> new NestedMultiOutput<>(CODEC), script, keys, values);
	}

	/**
	 * The reply of a command that was dispatched already; {@code null} stands for nil.
	 */
	static <T, R> Mono<R> reply(AsyncCommand<byte[], byte[], T> sent, Function<@Nullable T, R> reading) {
		return Mono.create((sink) -> relay(sent, sink, reading));
	}

	static <T> Mono<T> send(StatefulConnection<byte[], byte[]> connection,
			Supplier<AsyncCommand<byte[], byte[], T>> command) {
		return Mono.create((sink) -> {
			AsyncCommand<byte[], byte[], T> sent = command.get();
			connection.dispatch(sent);
			relay(sent, sink, Function.identity());
		});
	}

	private static <T, R> void relay(AsyncCommand<byte[], byte[], T> sent, MonoSink<R> sink,
			Function<@Nullable T, @Nullable R> reading) {
		sink.onCancel(() -> sent.cancel(true));
		sent.whenComplete((reply, failure) -> {
			if (failure != null) {
				sink.error(failure);
			}
			else {
				sink.success(reading.apply(reply));
			}
		});
	}

	/**
	 * By its digest; a server that does not know it, because it was restarted or is a new
	 * node, gets the source.
	 */
	private static <T> Mono<T> run(StatefulConnection<byte[], byte[]> connection,
			Supplier<CommandOutput<byte[], byte[], T>> output, RedisScript script, List<byte[]> keys,
			byte[]... values) {
		return send(connection,
				() -> command(CommandType.EVALSHA, output.get(), scriptArgs(args().add(script.digest()), keys, values)))
			.onErrorResume(RedisNoScriptException.class, (unknown) -> send(connection, () -> command(CommandType.EVAL,
					output.get(), scriptArgs(args().add(script.source()), keys, values))));
	}

	private static CommandArgs<byte[], byte[]> scriptArgs(CommandArgs<byte[], byte[]> args, List<byte[]> keys,
			byte[]... values) {
		args.add(keys.size()).addKeys(keys);
		for (byte[] value : values) {
			args.add(value);
		}
		return args;
	}

	private static CommandArgs<byte[], byte[]> args() {
		return new CommandArgs<>(CODEC);
	}

	private static <T> AsyncCommand<byte[], byte[], T> command(CommandType type,
			CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> args) {
		return new AsyncCommand<>(new Command<>(type, output, args));
	}

}
