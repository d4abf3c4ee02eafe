package dev.idempotency.load.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.netty.channel.EventLoopGroup;

import dev.idempotency.load.rig.Backend;
import dev.idempotency.load.rig.GatewayProcess;
import dev.idempotency.load.rig.JavaMeter;
import dev.idempotency.load.rig.Netty;
import dev.idempotency.load.rig.Stores;

/** The gateways of one run, each with connections to it and a meter on it. */
final class Fleet implements AutoCloseable {

	private static final Path SOURCES = Path.of("src", "stock", "java");

	private static final Path RESOURCES = Path.of("src", "stock", "resources");

	private final EventLoopGroup thread = Netty.oneThread("client");

	private final Map<Member, Running> running = new EnumMap<>(Member.class);

	private Fleet() {
	}

	/** Starts those that are needed. */
	static Fleet start(Options options, Extracted extracted, Backend backend, Stores stores, List<Member> members) {
		Fleet fleet = new Fleet();
		String stock = extracted.compile(SOURCES, "").toString();
		for (Member member : members) {
			List<String> arguments = new ArrayList<>(options.jvm());
			Extracted jar = (member == Member.OTHER) ? other(options, extracted) : extracted;
			arguments.addAll(List.of("-cp", stock + File.pathSeparator + member.classPath(jar), member.main));
			GatewayProcess gateway = GatewayProcess.start(member.configuration(backend, stores), arguments);
			fleet.running.put(member, new Running(gateway, JavaMeter.of(gateway.handle()),
					Client.connect(fleet.thread, gateway.port(), options.connections())));
		}
		return fleet;
	}

	private static Extracted other(Options options, Extracted extracted) {
		return Extracted.of(Path.of(options.against()), extracted.folder().resolveSibling("other"));
	}

	Running get(Member member) {
		return this.running.get(member);
	}

	@Override
	public void close() {
		this.running.values().forEach(Running::close);
		this.thread.shutdownGracefully();
	}

	/**
	 * One of them.
	 *
	 * @param gateway its process
	 * @param meter on that process
	 * @param client with connections to it
	 */
	record Running(GatewayProcess gateway, JavaMeter meter, Client client) implements AutoCloseable {

		@Override
		public void close() {
			this.client.close();
			this.meter.close();
			this.gateway.close();
		}

	}

	/** What kinds there are. */
	enum Member {

		/** The ready gateway as shipped. */
		READY("dev.idempotency.app.IdempotencyGatewayApplication", Member.NOTHING),

		/** The same with the usual retention, for the watch on its memory. */
		WATCHED("dev.idempotency.app.IdempotencyGatewayApplication", Member.NOTHING),

		/** Another build of it. */
		OTHER("dev.idempotency.app.IdempotencyGatewayApplication", Member.NOTHING),

		/** Spring Cloud Gateway and the actuator, as the project generator gives them. */
		STOCK("dev.idempotency.load.stock.StockGateway", Member.EXTRAS),

		/** Spring Cloud Gateway alone. */
		MINIMAL("dev.idempotency.load.stock.StockGateway", Member.EXTRAS
				+ "|spring-boot-(actuator|health|micrometer)|micrometer-(core|jakarta|registry)|prometheus");

		private static final String NOTHING = "";

		private static final String EXTRAS = "r2dbc|resilience4j|lettuce|spring-(boot-)?data|spring-security|"
				+ "spring-(boot-)?(tx|sql|persistence|transaction)|spring-oxm|redis";

		private final String main;

		private final String unwanted;

		Member(String main, String unwanted) {
			this.main = main;
			this.unwanted = unwanted;
		}

		private boolean isReady() {
			return this.unwanted.isEmpty();
		}

		private String classPath(Extracted extracted) {
			if (isReady()) {
				return RESOURCES.toAbsolutePath() + File.pathSeparator + extracted.classPath((library) -> true);
			}
			Pattern without = Pattern.compile(this.unwanted);
			return extracted.libraries((library) -> !without.matcher(library).lookingAt());
		}

		private String configuration(Backend backend, Stores stores) {
			if (this == WATCHED) {
				return stores.configuration() + Routes.lasting(backend.uri());
			}
			return isReady() ? stores.configuration() + Routes.all(backend.uri()) : Routes.bare(backend.uri());
		}

	}

}
