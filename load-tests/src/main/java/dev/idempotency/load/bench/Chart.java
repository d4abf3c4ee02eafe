package dev.idempotency.load.bench;

import java.util.List;
import java.util.Locale;

/**
 * The processor time of each case as a bar, the bare route's as a line through all of
 * them.
 */
final class Chart {

	private static final int LEFT = 190;

	private static final int WIDTH = 420;

	private static final int BAR = 18;

	private static final int HEAD = 42;

	private Chart() {
	}

	static String of(List<Result> results) {
		StringBuilder drawing = new StringBuilder();
		int top = 0;
		for (Result result : results) {
			top += group(drawing, result, top);
		}
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + (LEFT + WIDTH + 150) + "\" height=\"" + (top + 10)
				+ "\" font-family=\"sans-serif\" font-size=\"12\">\n"
				+ "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + drawing + "</svg>\n";
	}

	private static int group(StringBuilder drawing, Result result, int top) {
		double most = result.cases().values().stream().mapToDouble(Measurement::cpu).max().orElse(1);
		Measurement bare = result.cases().get(Case.BARE);
		label(drawing, 8, top + 24, "font-weight=\"bold\"",
				result.store() + ", " + result.size() + " bytes: processor time of the gateway for one request");
		int y = top + HEAD;
		for (String name : result.cases().keySet()) {
			double cpu = result.get(name).cpu();
			int width = (int) Math.round(WIDTH * cpu / most);
			label(drawing, 8, y + 13, "", name);
			drawing.append("<rect x=\"" + LEFT + "\" y=\"" + y + "\" width=\"" + width + "\" height=\"" + (BAR - 4)
					+ "\" fill=\"" + (name.equals(Case.BARE) ? "#8a8a8a" : "#3273a8") + "\"/>\n");
			label(drawing, LEFT + width + 6, y + 12, "", Math.round(cpu) + " µs"
					+ ((bare != null) ? String.format(Locale.ROOT, " (%.2f ×)", cpu / bare.cpu()) : ""));
			y += BAR;
		}
		if (bare != null) {
			int x = LEFT + (int) Math.round(WIDTH * bare.cpu() / most);
			drawing.append("<line x1=\"" + x + "\" x2=\"" + x + "\" y1=\"" + (top + HEAD - 4) + "\" y2=\"" + y
					+ "\" stroke=\"#333\" stroke-dasharray=\"3 3\"/>\n");
		}
		return y - top;
	}

	private static void label(StringBuilder drawing, int x, int y, String style, String text) {
		drawing.append("<text x=\"" + x + "\" y=\"" + y + "\" " + style + ">" + text + "</text>\n");
	}

}
