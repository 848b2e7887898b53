/** The styles of all, in the order in which they win: those of components come after these. */
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "../shared/tokens.css";
import "./console.css";
