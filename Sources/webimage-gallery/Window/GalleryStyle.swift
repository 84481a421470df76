import CGtk4

/// The window's style sheet.
enum GalleryStyle {
    static func install() {
        let provider = gtk_css_provider_new()
        gtk_css_provider_load_from_data(provider, css, -1)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        guard let settings = gtk_settings_get_default() else { return }
        var value = GValue()
        g_value_init(&value, g_type_from_name("gboolean"))
        g_value_set_boolean(&value, 1)
        let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
        g_object_set_property(object, "gtk-application-prefer-dark-theme", &value)
        g_value_unset(&value)
    }

    private static let css = """
        @define-color ground #16181d;
        @define-color card #20242c;
        @define-color line alpha(white, 0.07);
        @define-color ink #eceff4;
        @define-color quiet #98a1b0;
        @define-color network #5aa9ff;
        @define-color disk #f0b04f;
        @define-color memory #5fd08b;
        @define-color failed #ff6b6b;

        window.gallery { background: @ground; color: @ink; font-family: Cantarell, Inter, sans-serif; }
        window.gallery.solid-csd { border: none; box-shadow: none; padding: 0; margin: 0; border-radius: 0; }
        .gallery headerbar {
          background: #1b1e25; border-bottom: 1px solid @line; box-shadow: none; min-height: 54px; padding: 0 12px;
        }
        .gallery headerbar .title { font-size: 16px; font-weight: 800; }
        .gallery headerbar .subtitle { font-size: 12px; color: @quiet; opacity: 1; }
        .gallery headerbar button {
          background: alpha(white, 0.06); border: none; box-shadow: none; border-radius: 9px; padding: 6px 10px;
        }
        .gallery headerbar button:hover { background: alpha(white, 0.13); }
        /* In GTK's newer theme, the icons that close a window and so on are large discs. */
        .gallery headerbar windowcontrols button { min-width: 16px; }
        .gallery headerbar windowcontrols button > image { background: none; min-width: 16px; min-height: 16px; }
        .gallery headerbar button:focus-visible { outline: 2px solid @network; outline-offset: -2px; }

        .gallery gridview { background: transparent; padding: 12px; }
        .gallery gridview > child { background: transparent; padding: 7px; border-radius: 16px; outline: none; }
        /* GTK's own theme spaces the boxes in a grid view out. */
        .gallery gridview > child box { margin: 0; border-spacing: 0; }
        .gallery gridview > child:hover .card { border-color: alpha(white, 0.22); }
        /* GTK takes focus-visible away after some seconds without a key. */
        .gallery gridview > child:focus .card { border-color: @network; }
        .gallery gridview > child:focus-visible .card { border-color: @network; box-shadow: 0 0 0 2px @network; }

        .card {
          background: @card; border: 1px solid @line; border-radius: 13px;
          box-shadow: 0 1px 3px alpha(black, 0.3); transition: border-color 150ms;
        }
        .card picture.translucent {
          background-color: #2b303a;
          background-image:
            linear-gradient(45deg, #363c48 25%, transparent 25%, transparent 75%, #363c48 75%),
            linear-gradient(45deg, #363c48 25%, transparent 25%, transparent 75%, #363c48 75%);
          background-size: 20px 20px;
          background-position: 0 0, 10px 10px;
        }
        .card .caption { padding: 9px 12px 11px 12px; }
        .card .name { font-size: 13px; font-weight: 700; }
        .card .detail { font-size: 11.5px; color: @quiet; font-feature-settings: "tnum"; }
        .card .source { font-size: 11.5px; font-weight: 700; color: @quiet; }
        .card .format {
          font-size: 9.5px; font-weight: 800; letter-spacing: 0.5px; color: alpha(white, 0.92);
          background: alpha(black, 0.5); border-radius: 6px; padding: 2px 6px; margin: 8px;
        }
        .card .playback { margin: 8px; }
        .card .counter {
          font-size: 11px; font-weight: 700; font-feature-settings: "tnum"; color: alpha(white, 0.92);
          background: alpha(black, 0.5); border-radius: 6px; padding: 2px 7px;
        }
        .card .playback button {
          min-width: 26px; min-height: 26px; padding: 0; border: none; box-shadow: none; border-radius: 13px;
          color: white; background: alpha(black, 0.5);
        }
        .card .playback button:hover { background: alpha(black, 0.75); }
        .card .playback button:focus-visible { outline: 2px solid @network; outline-offset: -2px; }
        .card.failed .trouble { color: @failed; -gtk-icon-size: 34px; opacity: 0.85; }

        .dot { min-width: 7px; min-height: 7px; border-radius: 4px; background: alpha(white, 0.22); }
        .network .dot { background: @network; } .network .source { color: @network; }
        .file .dot { background: #b48ee8; } .file .source { color: #b48ee8; }
        .disk .dot { background: @disk; } .disk .source { color: @disk; }
        .memory .dot { background: @memory; } .memory .source { color: @memory; }
        .failed .dot { background: @failed; } .failed .source { color: @failed; }

        .drop-sign {
          font-size: 20px; font-weight: 800; color: white; background: alpha(@ground, 0.72);
          border: 3px dashed @network; border-radius: 18px; margin: 14px;
        }
        .message { padding: 24px; }
        .message image { -gtk-icon-size: 64px; color: @quiet; opacity: 0.6; }
        .message-title { font-size: 16px; font-weight: 700; }
        .message-detail { font-size: 13px; color: @quiet; }
        .settings { padding: 20px; }
        .settings .detail { color: @quiet; }

        .status { background: #1b1e25; border-top: 1px solid @line; }
        .status > viewport > box { padding: 9px 20px; }
        .status.narrow > viewport > box { padding: 9px 12px; }
        .status label { font-size: 12.5px; color: @quiet; font-feature-settings: "tnum"; }
        .status .count { color: @ink; font-weight: 800; }
        """
}
