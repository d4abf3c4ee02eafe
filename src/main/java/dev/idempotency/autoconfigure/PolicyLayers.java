package dev.idempotency.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.idempotency.core.IdempotencyPolicy.Preset;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;

/**
 * What was said about one policy, laid over one another: the route's arguments, the
 * policy's fields, the preset, and below them the defaults of {@link PolicyProperties}.
 * Boot's binder does the laying, so that lists, relaxed names, durations and sizes are
 * what they are everywhere else in Boot.
 */
final class PolicyLayers {

	private static final Fields FIELDS = Fields.of(PolicyProperties.class);

	private final ConfigurationPropertyName root;

	private final List<ConfigurationPropertySource> byHand;

	private final PlaceholdersResolver placeholders;

	/**
	 * Layers below one name.
	 * @param root name of the policy's properties
	 * @param byHand what people wrote, the strongest first
	 * @param placeholders what resolves {@code ${…}}
	 */
	PolicyLayers(ConfigurationPropertyName root, List<ConfigurationPropertySource> byHand,
			PlaceholdersResolver placeholders) {
		this.root = root;
		this.byHand = byHand;
		this.placeholders = placeholders;
	}

	/** Whether somebody named the field himself, be it with its default. */
	boolean names(String field) {
		ConfigurationPropertyName name = this.root.append(field);
		return this.byHand.stream()
			.anyMatch((source) -> source.getConfigurationProperty(name) != null
					|| source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT);
	}

	/** The fields as they come out. */
	PolicyProperties bind() {
		PolicyProperties withoutPreset = bind(this.byHand);
		Preset preset = withoutPreset.preset();
		if (preset == Preset.STANDARD) {
			return withoutPreset;
		}
		List<ConfigurationPropertySource> sources = new ArrayList<>(this.byHand);
		sources.add(Presets.of(preset, this.root));
		return bind(sources);
	}

	private PolicyProperties bind(List<ConfigurationPropertySource> sources) {
		Binder binder = new Binder(sources, this.placeholders);
		BindHandler refuseUnknownNames = new NoUnboundElementsBindHandler(BindHandler.DEFAULT,
				new UnboundElementsSourceFilter());
		try {
			return binder.bindOrCreate(this.root, Bindable.of(PolicyProperties.class), refuseUnknownNames);
		}
		catch (BindException ex) {
			throw new BindingErrors(this.root, FIELDS, Checks.ofFields()).translate(ex);
		}
	}

}
