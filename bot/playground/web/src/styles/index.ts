/** All styles, in their order: what is narrow overrules the rest. */

import "./base.css";
import "./frame.css";
import "./messages.css";
import "./composer.css";
import "./dialogs.css";
import "./blocks.css";
import "./figures.css";
import "./forms.css";
import "./teams.css";
import "./narrow.css";
