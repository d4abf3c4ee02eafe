package dev.idempotency.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;

/**
 * Manifests as the models of Kubernetes read them. A field that the models do not know is
 * an error: the API server would drop it without a word.
 */
final class Manifests {

	private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.ofEntries(
			Map.entry("v1 ConfigMap", ConfigMap.class), Map.entry("v1 Namespace", Namespace.class),
			Map.entry("v1 Service", Service.class), Map.entry("v1 ServiceAccount", ServiceAccount.class),
			Map.entry("apps/v1 Deployment", Deployment.class),
			Map.entry("autoscaling/v2 HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
			Map.entry("networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class),
			Map.entry("policy/v1 PodDisruptionBudget", PodDisruptionBudget.class),
			Map.entry("monitoring.coreos.com/v1 ServiceMonitor", GenericKubernetesResource.class),
			Map.entry("monitoring.coreos.com/v1 PrometheusRule", GenericKubernetesResource.class));

	private static final ObjectMapper LENIENT = new ObjectMapper(new YAMLFactory());

	private static final ObjectMapper STRICT = new ObjectMapper(new YAMLFactory())
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.setAnnotationIntrospector(new JacksonAnnotationIntrospector() {

			private static final long serialVersionUID = 1L;

			@Override
			public Boolean hasAnySetter(Annotated annotated) {
				return false;
			}
		});

	private final List<HasMetadata> all;

	private Manifests(List<HasMetadata> all) {
		this.all = all;
	}

	/** Reads documents in YAML. */
	static Manifests parse(String yaml) {
		try (MappingIterator<JsonNode> documents = LENIENT.readerFor(JsonNode.class).readValues(yaml)) {
			List<HasMetadata> all = new ArrayList<>();
			for (JsonNode document : documents.readAll()) {
				all.add(read(document));
			}
			return new Manifests(all);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static HasMetadata read(JsonNode document) throws IOException {
		String kind = document.path("apiVersion").asText() + " " + document.path("kind").asText();
		Class<? extends HasMetadata> type = KINDS.get(kind);
		if (type == null) {
			throw new IOException("no model for " + kind);
		}
		return (type == GenericKubernetesResource.class) ? LENIENT.treeToValue(document, type)
				: STRICT.treeToValue(document, type);
	}

	List<HasMetadata> all() {
		return this.all;
	}

	<T> List<T> all(Class<T> type) {
		return this.all.stream().filter(type::isInstance).map(type::cast).toList();
	}

	/** The one of that kind and name. */
	<T extends HasMetadata> T one(Class<T> type, String name) {
		return all(type).stream()
			.filter((manifest) -> manifest.getMetadata().getName().equals(name))
			.findFirst()
			.orElseThrow(() -> new AssertionError("no " + type.getSimpleName() + " " + name));
	}

}
