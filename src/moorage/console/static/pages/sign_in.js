// Signing in: with a name and a password where the service keeps them, or with a token.

import { field, fill, h, notice } from "../dom.js";
import { signInWithPassword, signInWithToken, welcome } from "../session.js";

export function signInPage({ message, onSession, onEnd }) {
  const said = h("div", { "aria-live": "polite" }, message ? notice("note", message) : null);
  const forms = h("div", {}, h("p", { class: "muted" }, "One moment …"));
  welcome().then(
    (offered) => {
      fill(forms, offered.takes_passwords ? [byPassword(), byToken(offered, true)] : byToken(offered, false));
      forms.querySelector("[autofocus]")?.focus(); // browsers do so by themselves only once
    },
    (error) => fill(forms, notice("error", error.message)),
  );

  /** `refusals` has what is said in place of the service's words, by status. */
  function form(action, refusals, ...content) {
    const element = h("form", {
      onsubmit: async (event) => {
        event.preventDefault();
        const button = element.querySelector("button[type=submit]");
        button.disabled = true;
        fill(said);
        try {
          onSession(await action());
        } catch (error) {
          fill(said, notice("error", refusals[error.status]?.() ?? error.message));
        } finally {
          button.disabled = false;
        }
      },
    }, content);
    return element;
  }

  function byPassword() {
    const user = h("input", { name: "username", autocomplete: "username", required: true, autofocus: true });
    const password = h("input", { type: "password", name: "password", autocomplete: "current-password", required: true });
    const project = h("input", { name: "project", placeholder: "the first of yours" });
    const domain = h("input", { name: "domain", value: "Default", required: true });
    return form(
      () => signInWithPassword({ user: user.value, password: password.value, project: project.value.trim(), domain: domain.value }, onEnd),
      { 401: () => `That is not right: no such user, or another password${project.value.trim() ? ", or no role in that project" : ""}.` },
      field("User name", user),
      field("Password", password, "At first start there is admin; the password is in clouds.yaml in the data directory."),
      h("details", {}, h("summary", {}, "Project and domain"), field("Project", project), field("Domain", domain)),
      h("button", { type: "submit", class: "primary wide" }, "Sign in"),
    );
  }

  function byToken(offered, asAlternative) {
    const hints = {
      token: "The admin token, which is in the file admin-token in the data directory, or one of the identity service.",
      keystone: "A token that Keystone gave you: openstack token issue -f value -c id.",
      noauth2: "Nothing is checked here: admin, or user:project.",
    };
    const token = h("input", { type: "password", name: "token", autocomplete: "off", required: true, autofocus: !asAlternative });
    const content = form(
      () => signInWithToken(token.value.trim(), onEnd),
      {
        401: () => `This token is not good: it has expired, was taken back, or ${offered.authentication === "keystone" ? "is none of this Keystone's" : "was never one"}.`,
        403: () => "This token is good, and not for a project. Everything here is for those who have a role in one.",
      },
      field("Token", token, hints[offered.authentication]),
      h("button", { type: "submit", class: `${asAlternative ? "" : "primary "}wide` }, "Sign in with the token"),
    );
    return asAlternative ? h("details", { class: "apart" }, h("summary", {}, "Sign in with a token instead"), content) : content;
  }

  return h("main", { class: "sign-in" },
    h("div", { class: "card" },
      h("h1", {}, h("img", { src: "icon.svg", alt: "", width: 40, height: 40 }), "Moorage"),
      h("p", { class: "muted" }, "What every host has, what is used, what is promised to whom and when."),
      said, forms));
}
