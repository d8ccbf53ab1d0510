/** The public contract: App, Component, Group and Plugin as Kubernetes objects. */
package io.middleware.engine.api;
