package dev.idempotency.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.ResolvableType;
import org.springframework.util.unit.DataSize;

/**
 * Says in one line why properties could not be bound: which, what was written, what is
 * accepted, and where it stands. Boot spreads this over several lines and does not know
 * what is accepted.
 *
 * @param root name below which was bound
 * @param fields the names that exist there
 * @param checks how a name is called
 */
record BindingErrors(ConfigurationPropertyName root, Fields fields, Checks checks) {

	RejectedValueException translate(BindException error) {
		for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
			if (cause instanceof RejectedValueException rejected) {
				return rejected;
			}
			if (cause instanceof UnboundConfigurationPropertiesException unbound) {
				return leftOver(unbound.getUnboundProperties().iterator().next());
			}
		}
		return impossible(error);
	}

	private RejectedValueException leftOver(ConfigurationProperty property) {
		String name = relative(property.getName());
		String reason = this.fields.contains(name) ? "has no value" : "is unknown; " + this.fields.insteadOf(name);
		return this.checks.refuse(name, reason + place(property));
	}

	private RejectedValueException impossible(BindException error) {
		String name = relative(error.getName());
		ConfigurationProperty property = error.getProperty();
		if (this.fields.isGroup(name)) {
			return this.checks.refuse(name, "is no value but a group; " + this.fields.insteadOf(name + "."));
		}
		if (property == null) {
			return this.checks.refuse(name, "cannot be read: " + Printed.written(rootCause(error)));
		}
		String accepted = accepted(error.getTarget().getType());
		return this.checks.refuse(name, property.getValue(), accepted + place(property));
	}

	private String relative(ConfigurationPropertyName name) {
		return name.subName(this.root.getNumberOfElements()).toString();
	}

	private String accepted(ResolvableType type) {
		Class<?> raw = type.resolve(Object.class);
		if (Collection.class.isAssignableFrom(raw)) {
			return "a list, each " + accepted(type.asCollection().getGeneric());
		}
		if (raw.isEnum()) {
			return Printed.of(List.of(raw.getEnumConstants()));
		}
		return kind(raw);
	}

	private static String kind(Class<?> type) {
		if (type == boolean.class || type == Boolean.class) {
			return "true, false";
		}
		if (type == Duration.class) {
			return "a duration such as 250ms, 15s or 48h";
		}
		if (type == DataSize.class) {
			return "a size such as 512B, 64KB or 1MB";
		}
		if (Map.class.isAssignableFrom(type)) {
			return "fields below it";
		}
		if (type == double.class) {
			return "a number such as 0.5";
		}
		return (type == int.class || type == Integer.class) ? "a whole number" : "a " + type.getSimpleName();
	}

	/** File and line, where there is more to tell than the name of a property source. */
	private static String place(ConfigurationProperty property) {
		Origin origin = property.getOrigin();
		if (origin instanceof PropertySourceOrigin inSource) {
			origin = inSource.getOrigin();
		}
		return (origin != null) ? " (" + origin + ")" : "";
	}

	private static String rootCause(Throwable error) {
		Throwable cause = error;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		@Nullable String message = cause.getMessage();
		return (message != null) ? message : cause.toString();
	}

}
