package dev.idempotency.autoconfigure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import dev.idempotency.autoconfigure.IdempotencyProperties.Store;
import dev.idempotency.core.IdempotencyPolicy;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Turns configuration into the policy of a route: preset, named policy and the route's
 * own arguments laid over one another. The same policy is put together once and again
 * after the environment has changed, so that a refresh of the routes sees changed
 * policies.
 *
 * @since 0.1.0
 */
public final class PolicyFactory implements ApplicationListener<EnvironmentChangeEvent> {

	/** The argument of a route that names its policy. */
	public static final String POLICY_ARGUMENT = "policy";

	/** The policy of a route that names none. It exists without being configured. */
	public static final String DEFAULT_POLICY = "default";

	private static final String ROOT = IdempotencyProperties.PREFIX + ".policies";

	private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

	/** Spring Cloud Gateway writes the elements of a list as further names. */
	private static final Pattern LIST_ELEMENT = Pattern.compile("\\.(\\d+)(?=\\.|$)");

	/** What Spring Cloud Gateway calls an argument without a name. */
	private static final String UNNAMED = "_genkey_";

	/** Far more than there are different arguments, and still no burden. */
	private static final int MOST_REMEMBERED = 1000;

	private final Map<Wanted, IdempotencyPolicy> remembered = new ConcurrentHashMap<>();

	private final Environment environment;

	private final Store store;

	/**
	 * Policies as an environment describes them.
	 * @param environment holds {@code idempotency.policies.*}
	 * @param store the store that all routes share
	 */
	public PolicyFactory(Environment environment, Store store) {
		this.environment = environment;
		this.store = store;
	}

	/**
	 * The policy of a route.
	 * @param routeId id of the route, for messages
	 * @param arguments the arguments of its filter: {@value #POLICY_ARGUMENT} and single
	 * fields, flattened as in a filter definition
	 * @return the validated policy
	 * @throws InvalidPolicyException if it cannot be
	 */
	public IdempotencyPolicy policyFor(String routeId, Map<String, ?> arguments) {
		Object given = arguments.get(POLICY_ARGUMENT);
		String name = (given != null && !given.toString().isBlank()) ? given.toString().trim() : DEFAULT_POLICY;
		return remember("Route '" + Printed.written(routeId) + "', policy '", name, arguments);
	}

	/**
	 * A policy apart from any route.
	 * @param name its name
	 * @return the validated policy
	 * @throws InvalidPolicyException if it cannot be
	 */
	public IdempotencyPolicy policy(String name) {
		return remember("Policy '", name, Map.of());
	}

	/** Names of the policies that exist. */
	public SortedSet<String> names() {
		SortedSet<String> names = new TreeSet<>();
		names.add(DEFAULT_POLICY);
		Binder.get(this.environment)
			.bind(ROOT, Bindable.mapOf(String.class, Object.class))
			.ifBound((policies) -> names.addAll(policies.keySet()));
		return names;
	}

	@Override
	public void onApplicationEvent(EnvironmentChangeEvent event) {
		this.remembered.clear();
	}

	/** Binding costs milliseconds, and refreshes ask again for each of many routes. */
	private IdempotencyPolicy remember(String who, String name, Map<String, ?> arguments) {
		Wanted wanted = new Wanted(name, new HashMap<>(arguments));
		IdempotencyPolicy policy = this.remembered.get(wanted);
		if (policy == null) {
			policy = assemble(who, wanted);
			if (this.remembered.size() >= MOST_REMEMBERED) {
				this.remembered.clear();
			}
			this.remembered.put(wanted, policy);
		}
		return policy;
	}

	private IdempotencyPolicy assemble(String who, Wanted wanted) {
		String name = wanted.name();
		try {
			ConfigurationPropertyName root = root(name);
			List<ConfigurationPropertySource> byHand = new ArrayList<>();
			byHand.add(inline(root, wanted.arguments()));
			byHand.addAll(sources(root));
			if (byHand.size() == 1 && !name.equals(DEFAULT_POLICY)) {
				throw new RejectedValueException("there is no such policy; known: " + String.join(", ", names()));
			}
			PolicyLayers layers = new PolicyLayers(root, byHand,
					new PropertySourcesPlaceholdersResolver(this.environment));
			return new PolicyAssembly(name, layers, this.store).assemble();
		}
		catch (RejectedValueException ex) {
			throw new InvalidPolicyException(who + Printed.written(name) + "': " + ex.getMessage());
		}
	}

	private static ConfigurationPropertyName root(String name) {
		return PLAIN_NAME.matcher(name).matches() ? ConfigurationPropertyName.adapt(ROOT + "." + name, '.')
				: ConfigurationPropertyName.of(ROOT).append("[" + name.replaceAll("[\\[\\]]", "") + "]");
	}

	/** Those that say something of the policy. */
	private List<ConfigurationPropertySource> sources(ConfigurationPropertyName root) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source.containsDescendantOf(root) == ConfigurationPropertyState.PRESENT
					|| source.getConfigurationProperty(root) != null) {
				sources.add(source);
			}
		}
		return sources;
	}

	private static ConfigurationPropertySource inline(ConfigurationPropertyName root, Map<String, ?> arguments) {
		Map<String, Object> properties = new HashMap<>();
		arguments.forEach((key, value) -> {
			if (key.startsWith(UNNAMED)) {
				throw new RejectedValueException("'" + Printed.written(value)
						+ "' is one argument too many; the short form takes a policy's name, fields need the long form");
			}
			if (!key.equals(POLICY_ARGUMENT)) {
				properties.put(root + "." + LIST_ELEMENT.matcher(key).replaceAll("[$1]"), value);
			}
		});
		return new MapConfigurationPropertySource(properties);
	}

	private record Wanted(String name, Map<String, ?> arguments) {
	}

}
